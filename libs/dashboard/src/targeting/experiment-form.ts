import type { Schema } from '../api/types.js';
import {
  type ConditionDraft,
  conditionOf,
  draftOf,
  type TargetingField,
} from '../frame/conditions/conditions.js';
import type { Experiment, ExperimentStatus } from './experiments.queries.js';

const variantIds = ['a', 'b', 'c', 'd'] as const;
type VariantId = (typeof variantIds)[number];

/** Offering ids by variant. Empty uses the fallback. */
type ByVariant<Prefix extends string> = Record<`${Prefix}_${VariantId}_id`, string>;

/** Shows no offering in a placement. */
export const NO_OFFERING = 'none';

interface VariantPlacement extends ByVariant<'offering'> {
  placement_identifier: string;
}

/** Values of the experiment form. */
export interface ExperimentValues extends ByVariant<'offering'> {
  display_name: string;
  weights: string;
  enrollment_percentage: string;
  enrollment_mode: string;
  experiment_type: string;
  targeting_conditions: ConditionDraft<TargetingField>[];
  /** For other placements an empty id uses the variant's offering. */
  placements: ByVariant<'fallback_offering'> & { placement_offerings: VariantPlacement[] };
  primary_metric: string;
  secondary_metrics: string[];
  notes: string;
}

function byVariant<Prefix extends string>(
  prefix: Prefix,
  read: (id: VariantId) => string = () => '',
): ByVariant<Prefix> {
  const ids = variantIds.map((id) => [`${prefix}_${id}_id`, read(id)]);
  return Object.fromEntries(ids) as ByVariant<Prefix>;
}

export const emptyPlacement: VariantPlacement = { placement_identifier: '', ...byVariant('offering') };

export const emptyValues: ExperimentValues = {
  display_name: '',
  ...byVariant('offering'),
  weights: '',
  enrollment_percentage: '100',
  enrollment_mode: 'only_new',
  experiment_type: '',
  targeting_conditions: [],
  placements: { ...byVariant('fallback_offering'), placement_offerings: [] },
  primary_metric: 'initial_conversion_rate',
  secondary_metrics: [],
  notes: '',
};

type ExperimentBody = Schema<'UpdateExperimentDto'>;
export type ExperimentField = keyof ExperimentBody;

const ofCreation = [
  'display_name',
  'offering_a_id',
  'offering_b_id',
  'offering_c_id',
  'offering_d_id',
  'enrollment_percentage',
  'enrollment_mode',
  'targeting_conditions',
] as const satisfies readonly ExperimentField[];
const harmless = ['display_name', 'primary_metric', 'secondary_metrics', 'notes'] as const;

/** Fields that the server permits to change, by status. */
const editable: Record<ExperimentStatus, readonly ExperimentField[]> = {
  draft: [...ofCreation, ...harmless, 'weights', 'placements', 'experiment_type'],
  running: [...harmless, 'enrollment_percentage', 'weights'],
  paused: harmless,
  stopped: ['display_name', 'notes'],
};

/** The fields of the form; null means a new experiment. */
export const fieldsOf = (status: ExperimentStatus | null): readonly ExperimentField[] =>
  status === null ? ofCreation : editable[status];

export function valuesOf(experiment: Experiment): ExperimentValues {
  const { placements } = experiment;
  return {
    display_name: experiment.display_name,
    ...byVariant('offering', (id) => experiment[`offering_${id}`]?.id ?? ''),
    weights: experiment.weights?.join(', ') ?? '',
    enrollment_percentage: String(experiment.enrollment_percentage),
    enrollment_mode: experiment.enrollment_mode,
    experiment_type: experiment.experiment_type ?? '',
    targeting_conditions: experiment.targeting_conditions.map((condition) => draftOf(condition)),
    placements: {
      ...byVariant('fallback_offering', (id) => placements?.[`fallback_offering_${id}`]?.id ?? ''),
      placement_offerings: (placements?.placement_offerings ?? []).map((row) => ({
        placement_identifier: row.placement_identifier,
        ...byVariant('offering', (id) => {
          const offering = row[`offering_${id}`];
          return offering === null ? NO_OFFERING : (offering?.id ?? '');
        }),
      })),
    },
    primary_metric: experiment.primary_metric,
    secondary_metrics: experiment.secondary_metrics,
    notes: experiment.notes ?? '',
  };
}

/** Validates before anything is sent. */
export const problemsOf = (values: ExperimentValues) => ({
  display_name: values.display_name.trim() === '' ? 'Give the experiment a name.' : null,
  offering_a_id: values.offering_a_id === '' ? 'Choose an offering.' : null,
  offering_b_id: values.offering_b_id === '' ? 'Choose an offering.' : null,
});

/** The variants with an offering. */
export const chosenVariants = (values: ExperimentValues): VariantId[] =>
  variantIds.filter((id) => values[`offering_${id}_id`] !== '');

/** Builds the body from the fields that the status permits. The server validates values. */
export function bodyOf(values: ExperimentValues, fields: readonly ExperimentField[]): ExperimentBody {
  const { placement_offerings: placements, ...fallbacks } = values.placements;
  const variants = chosenVariants(values);
  const choices = <Prefix extends string>(prefix: Prefix, given: ByVariant<Prefix>) =>
    Object.fromEntries(
      variants
        .map((id) => [`${prefix}_${id}_id` as const, given[`${prefix}_${id}_id`]] as const)
        .filter(([, offering]) => offering !== '')
        .map(([name, offering]) => [name, offering === NO_OFFERING ? null : offering]),
    );
  const isPlaced =
    placements.length > 0 || variants.some((id) => fallbacks[`fallback_offering_${id}_id`] !== '');
  const body: Record<ExperimentField, unknown> = {
    display_name: values.display_name.trim(),
    offering_a_id: values.offering_a_id,
    offering_b_id: values.offering_b_id,
    offering_c_id: values.offering_c_id || null,
    offering_d_id: values.offering_d_id || null,
    weights: values.weights.trim() === '' ? null : values.weights.split(',').map(Number),
    enrollment_percentage:
      values.enrollment_percentage.trim() === '' ? Number.NaN : Number(values.enrollment_percentage),
    enrollment_mode: values.enrollment_mode,
    experiment_type: values.experiment_type || null,
    primary_metric: values.primary_metric,
    secondary_metrics: values.secondary_metrics,
    notes: values.notes.trim() || null,
    targeting_conditions: values.targeting_conditions.map((draft) => conditionOf(draft)),
    placements: isPlaced
      ? {
          ...choices('fallback_offering', fallbacks),
          placement_offerings: placements.map((placement) => ({
            placement_identifier: placement.placement_identifier,
            ...choices('offering', placement),
          })),
        }
      : null,
    experiment_duration_settings: undefined,
  };
  return Object.fromEntries(fields.map((field) => [field, body[field]]));
}

/** Returns the changed fields of a body. */
export function changesOf(before: ExperimentBody, after: ExperimentBody): ExperimentBody {
  const fields = Object.keys(after) as ExperimentField[];
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return Object.fromEntries(changed.map((field) => [field, after[field]]));
}
