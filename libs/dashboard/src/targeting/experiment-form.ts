import type { Schema } from '../api/types.js';
import { type ConditionDraft, conditionOf, draftOf } from './conditions.js';
import type { Experiment, ExperimentStatus } from './experiments.queries.js';

export const variantIds = ['a', 'b', 'c', 'd'] as const;
export type VariantId = (typeof variantIds)[number];

/** Offering ids by variant. Empty uses the fallback. */
export type VariantChoices = Record<VariantId, string>;

/** Shows no offering in a placement. */
export const NO_OFFERING = 'none';

export interface VariantPlacementDraft {
  identifier: string;
  offerings: VariantChoices;
}

/** Parts of the experiment form other than its text fields. */
export interface ExperimentParts {
  conditions: ConditionDraft[];
  placements: VariantPlacementDraft[];
  /** For other placements; empty uses the variant's offering. */
  fallbacks: VariantChoices;
  secondaryMetrics: string[];
}

export const emptyValues = {
  display_name: '',
  offering_a_id: '',
  offering_b_id: '',
  offering_c_id: '',
  offering_d_id: '',
  weights: '',
  enrollment_percentage: '100',
  enrollment_mode: 'only_new',
  experiment_type: '',
  primary_metric: 'initial_conversion_rate',
  notes: '',
};
export type ExperimentValues = typeof emptyValues;

export const noChoices: VariantChoices = { a: '', b: '', c: '', d: '' };

export const emptyParts: ExperimentParts = {
  conditions: [],
  placements: [],
  fallbacks: noChoices,
  secondaryMetrics: [],
};

export type ExperimentBody = Schema<'UpdateExperimentDto'>;
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
  return {
    display_name: experiment.display_name,
    offering_a_id: experiment.offering_a.id,
    offering_b_id: experiment.offering_b.id,
    offering_c_id: experiment.offering_c?.id ?? '',
    offering_d_id: experiment.offering_d?.id ?? '',
    weights: experiment.weights?.join(', ') ?? '',
    enrollment_percentage: String(experiment.enrollment_percentage),
    enrollment_mode: experiment.enrollment_mode,
    experiment_type: experiment.experiment_type ?? '',
    primary_metric: experiment.primary_metric,
    notes: experiment.notes ?? '',
  };
}

export function partsOf({
  targeting_conditions,
  placements,
  secondary_metrics,
}: Experiment): ExperimentParts {
  return {
    conditions: targeting_conditions.map(draftOf),
    placements: (placements?.placement_offerings ?? []).map((row) => ({
      identifier: row.placement_identifier,
      offerings: byVariant((id) => {
        const offering = row[`offering_${id}`];
        return offering === null ? NO_OFFERING : (offering?.id ?? '');
      }),
    })),
    fallbacks: byVariant((id) => placements?.[`fallback_offering_${id}`]?.id ?? ''),
    secondaryMetrics: secondary_metrics,
  };
}

function byVariant(read: (id: VariantId) => string): VariantChoices {
  return { a: read('a'), b: read('b'), c: read('c'), d: read('d') };
}

/** The variants with an offering. */
export const chosenVariants = (values: ExperimentValues): VariantId[] =>
  variantIds.filter((id) => values[`offering_${id}_id`] !== '');

/** Builds the body from the fields that the status permits. The server validates values. */
export function bodyOf(
  values: ExperimentValues,
  parts: ExperimentParts,
  fields: readonly ExperimentField[],
): ExperimentBody {
  const { placements, fallbacks } = parts;
  const variants = chosenVariants(values);
  const choices = (prefix: string, given: VariantChoices) =>
    Object.fromEntries(
      variants
        .filter((id) => given[id] !== '')
        .map((id) => [`${prefix}_${id}_id`, given[id] === NO_OFFERING ? null : given[id]]),
    );
  const isPlaced = placements.length > 0 || variants.some((id) => fallbacks[id] !== '');
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
    secondary_metrics: parts.secondaryMetrics,
    notes: values.notes.trim() || null,
    targeting_conditions: parts.conditions.map(conditionOf),
    placements: isPlaced
      ? {
          ...choices('fallback_offering', fallbacks),
          placement_offerings: placements.map(({ identifier, offerings }) => ({
            placement_identifier: identifier,
            ...choices('offering', offerings),
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
