import { type VariantId, variantIds, type VariantOfferings } from '../../../libs/targeting/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { ExperimentDto, ExperimentPlacementsDto, VariantOfferingDto } from './experiment.dto.js';
import type { Experiment } from './experiment.entity.js';
import { conflictsOf, ranMs, warningsOf } from './experiment.policy.js';

/** Uses the id as the name if an offering of a stopped experiment is gone. */
function presentOffering(offeringId: string, catalog: Catalog): VariantOfferingDto {
  const offering = catalog.offerings.get(offeringId);
  return {
    id: offeringId,
    identifier: offering?.lookupKey ?? offeringId,
    display_name: offering?.displayName ?? offeringId,
    paywall_id: catalog.paywalls.get(offeringId)?.id ?? null,
  };
}

function presentVariants<Prefix extends string>(
  prefix: Prefix,
  offerings: VariantOfferings,
  catalog: Catalog,
): Partial<Record<`${Prefix}_${VariantId}`, VariantOfferingDto | null>> {
  return Object.fromEntries(
    Object.entries(offerings).map(([variant, offeringId]) => [
      `${prefix}_${variant}`,
      offeringId === null ? null : presentOffering(offeringId, catalog),
    ]),
  ) as Partial<Record<`${Prefix}_${VariantId}`, VariantOfferingDto | null>>;
}

function presentPlacements({ placements }: Experiment, catalog: Catalog): ExperimentPlacementsDto | null {
  return (
    placements && {
      ...presentVariants('fallback_offering', placements.fallback, catalog),
      placement_offerings: placements.offerings.map((row) => ({
        placement_identifier: row.placementIdentifier,
        ...presentVariants('offering', row.offerings, catalog),
      })),
    }
  );
}

export function presentExperiment(experiment: Experiment, catalog: Catalog, nowMs: number): ExperimentDto {
  const [a, b, c = null, d = null] = variantIds.map((_, index) => {
    const offeringId = experiment.offerings[index];
    return offeringId === undefined ? null : presentOffering(offeringId, catalog);
  }) as [VariantOfferingDto, VariantOfferingDto, (VariantOfferingDto | null)?, (VariantOfferingDto | null)?];
  return {
    object: 'experiment',
    id: experiment.id,
    project_id: experiment.projectId,
    display_name: experiment.displayName,
    status: experiment.status,
    offering_a: a,
    offering_b: b,
    offering_c: c,
    offering_d: d,
    enrollment_percentage: experiment.enrollmentPercentage,
    enrollment_mode: experiment.enrollmentMode,
    weights: experiment.weights,
    targeting_conditions: experiment.conditions,
    audience_id: null,
    pinned_audience: null,
    placements: presentPlacements(experiment, catalog),
    experiment_type: experiment.experimentType,
    primary_metric: experiment.primaryMetric,
    secondary_metrics: experiment.secondaryMetrics,
    experiment_duration_settings: experiment.durationSettings,
    notes: experiment.notes,
    priority: experiment.priority,
    created_at: experiment.createdAt.getTime(),
    updated_at: experiment.updatedAt.getTime(),
    started_at: experiment.startedAt?.getTime() ?? null,
    paused_at: experiment.pausedAt?.getTime() ?? null,
    resumed_at: experiment.resumedAt?.getTime() ?? null,
    stopped_at: experiment.stoppedAt?.getTime() ?? null,
    total_running_time_seconds: Math.floor(ranMs(experiment, nowMs) / 1000),
    conflicts: conflictsOf(experiment, catalog.experiments).map(({ id, displayName }) => ({
      id,
      display_name: displayName,
    })),
    winner_variant: experiment.winnerVariant,
    warnings: warningsOf(experiment, catalog),
  };
}
