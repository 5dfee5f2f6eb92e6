import { type VariantId, variantIds, type VariantOfferings } from '../../../libs/targeting/index.js';
import type { PlainField } from '../../platform/audit/audit-changes.js';
import type { Experiment } from './experiment.entity.js';

type OfferingFields = Partial<Record<`${string}offering_${VariantId}_id`, string | null>>;

function fieldsOf(offerings: VariantOfferings, prefix = ''): OfferingFields {
  return Object.fromEntries(
    Object.entries(offerings).map(([variant, id]) => [`${prefix}offering_${variant}_id`, id]),
  );
}

/** User-defined fields of an experiment, under their API names. */
export function recordedExperiment(experiment: Experiment) {
  const { offerings, placements } = experiment;
  const [a, b, c = null, d = null] = variantIds.map((_, index) => offerings[index] ?? null);
  return {
    display_name: experiment.displayName,
    experiment_type: experiment.experimentType,
    offering_a_id: a,
    offering_b_id: b,
    offering_c_id: c,
    offering_d_id: d,
    enrollment_percentage: experiment.enrollmentPercentage,
    enrollment_mode: experiment.enrollmentMode,
    weights: experiment.weights,
    targeting_conditions: experiment.conditions,
    placements: placements && {
      ...fieldsOf(placements.fallback, 'fallback_'),
      placement_offerings: placements.offerings.map((row) => ({
        placement_identifier: row.placementIdentifier,
        ...fieldsOf(row.offerings),
      })),
    },
    primary_metric: experiment.primaryMetric,
    secondary_metrics: experiment.secondaryMetrics,
    experiment_duration_settings: experiment.durationSettings,
    notes: experiment.notes,
  };
}

/** Fields whose values are audited. */
export const recordedFields: PlainField<ReturnType<typeof recordedExperiment>>[] = [
  'display_name',
  'experiment_type',
  'offering_a_id',
  'offering_b_id',
  'offering_c_id',
  'offering_d_id',
  'enrollment_percentage',
  'enrollment_mode',
  'weights',
  'targeting_conditions',
  'placements',
  'primary_metric',
  'secondary_metrics',
  'experiment_duration_settings',
  'notes',
];
