import {
  type Condition,
  type ExperimentPlacements,
  type ExperimentTerms,
  mayOverlap,
  type VariantId,
  variantIds,
  type VariantOfferings,
} from '../../../libs/targeting/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { NamedOffering } from '../shared/named-offerings.service.js';
import { assertPlacementIdentifiers } from '../shared/placement-identifiers.js';
import type { ExperimentFieldsDto, WriteExperimentPlacementsDto } from './experiment.dto.js';
import type { DurationSettings, Experiment } from './experiment.entity.js';

type OfferingFields = Pick<ExperimentFieldsDto, 'offering_c_id' | 'offering_d_id'> & {
  offering_a_id?: string;
  offering_b_id?: string;
};

/**
 * Returns the offerings of the variants after a change; absent fields stay unchanged. @throws ApiError 400 for a gap
 */
export function readOfferings(body: OfferingFields, present: readonly string[]): string[] {
  const given = [body.offering_a_id, body.offering_b_id, body.offering_c_id, body.offering_d_id];
  const [a, b, c, d] = given.map((id, index) => (id === undefined ? (present[index] ?? null) : id));
  if (d && !c) throw ApiError.parameter('offering_c_id', 'offering_c_id is required with offering_d_id.');
  return [a, b, c, d].filter((id): id is string => typeof id === 'string');
}

/** @throws ApiError 400 unless there is one whole percentage for each variant, adding up to 100 */
export function readWeights(weights: unknown[] | null, variants: number): number[] | null {
  if (weights === null) return null;
  const whole = weights.filter((weight): weight is number => Number.isInteger(weight) && Number(weight) >= 1);
  const isComplete = whole.length === weights.length && weights.length === variants;
  if (isComplete && whole.reduce((sum, weight) => sum + weight, 0) === 100) return whole;
  throw ApiError.parameter(
    'weights',
    `weights must be ${variants} whole numbers of at least 1 whose sum is 100.`,
  );
}

function byVariant(
  read: (variant: VariantId) => string | null | undefined,
  variants: number,
): VariantOfferings {
  const given = variantIds.slice(0, variants).map((variant) => [variant, read(variant)] as const);
  return Object.fromEntries(given.filter(([, offeringId]) => offeringId !== undefined));
}

/** @throws ApiError 400 naming the row */
export function readExperimentPlacements(
  given: WriteExperimentPlacementsDto | null,
  variants: number,
): ExperimentPlacements | null {
  if (given === null) return null;
  const rows = given.placement_offerings;
  assertPlacementIdentifiers(
    rows.map((row) => row.placement_identifier),
    'placements.placement_offerings',
  );
  const fallback = byVariant((variant) => given[`fallback_offering_${variant}_id`] ?? undefined, variants);
  return {
    fallback,
    offerings: rows.map((row) => ({
      placementIdentifier: row.placement_identifier,
      offerings: byVariant((variant) => row[`offering_${variant}_id`], variants),
    })),
  };
}

/** Returns the placements after a change of the variants, without those of removed variants. */
export function placementsOfVariants(
  placements: ExperimentPlacements | null,
  variants: number,
): ExperimentPlacements | null {
  return (
    placements && {
      fallback: byVariant((variant) => placements.fallback[variant], variants),
      offerings: placements.offerings.map(({ placementIdentifier, offerings }) => ({
        placementIdentifier,
        offerings: byVariant((variant) => offerings[variant], variants),
      })),
    }
  );
}

const MAX_SETTINGS = 10;

/** @throws ApiError 400 unless all are numbers */
export function readDurationSettings(given: Record<string, unknown> | null): DurationSettings | null {
  if (given === null) return null;
  const settings = Object.entries(given).filter(([, value]) => value !== null);
  const isValid =
    settings.length <= MAX_SETTINGS &&
    settings.every(
      ([name, value]) => name.length <= 100 && typeof value === 'number' && Number.isFinite(value),
    );
  if (isValid) return Object.fromEntries(settings) as DurationSettings;
  throw ApiError.parameter(
    'experiment_duration_settings',
    `experiment_duration_settings must hold at most ${MAX_SETTINGS} numbers.`,
  );
}

type Shown = Pick<Experiment, 'offerings' | 'placements'>;

/** Returns the offerings used by an experiment, with their request fields. */
export function offeringsOf({ offerings, placements }: Shown): NamedOffering[] {
  const own = offerings.map((offeringId, index) => ({
    param: `offering_${variantIds[index]}_id`,
    offeringId,
  }));
  const fallbacks = Object.entries(placements?.fallback ?? {}).map(([variant, offeringId]) => ({
    param: `placements.fallback_offering_${variant}_id`,
    offeringId,
  }));
  const rows = (placements?.offerings ?? []).flatMap((row, index) =>
    Object.entries(row.offerings).map(([variant, offeringId]) => ({
      param: `placements.placement_offerings[${index}].offering_${variant}_id`,
      offeringId,
    })),
  );
  return [...own, ...fallbacks, ...rows].filter((row): row is NamedOffering => row.offeringId !== null);
}

/** @throws ApiError 422 if two variants would look the same */
export function assertVariantsDiffer({ offerings, placements }: Shown): void {
  const shown = offerings.map((offeringId, index) => {
    const variant = variantIds[index] as VariantId;
    const fallback = placements?.fallback[variant] ?? offeringId;
    // A placement that the variant omits shows the fallback; null shows no offering.
    const rows = (placements?.offerings ?? []).map(({ placementIdentifier, offerings: of }) => [
      placementIdentifier,
      of[variant] === undefined ? fallback : of[variant],
    ]);
    return JSON.stringify([offeringId, fallback, rows]);
  });
  const twin = shown.findIndex((text, index) => shown.indexOf(text) !== index);
  if (twin === -1) return;
  throw new ApiError('impossible', 'Two variants have the same offering and the same placements.', {
    param: `offering_${variantIds[twin]}_id`,
  });
}

/** Milliseconds that the experiment has been running, without pauses. */
export function ranMs({ status, ranMs: before, startedAt, resumedAt }: Experiment, nowMs: number): number {
  const since = resumedAt ?? startedAt;
  return before + (status === 'running' && since ? Math.max(0, nowMs - since.getTime()) : 0);
}

/** Running experiments whose audience may overlap with that of the given experiment, unless it has stopped. */
export function conflictsOf(experiment: Experiment, running: readonly ExperimentTerms[]): ExperimentTerms[] {
  if (experiment.status === 'stopped') return [];
  return running.filter(
    (other) =>
      other.status === 'running' &&
      other.id !== experiment.id &&
      mayOverlap(experiment.conditions, other.conditions),
  );
}

function isInAudience(appId: string, conditions: readonly Condition[]): boolean {
  return conditions.every(({ field, operator, value }) => {
    if (field !== 'app_config') return true;
    return (value as string[]).includes(appId) === (operator === 'in');
  });
}

/** Warns about apps in the audience whose customers would see a variant with nothing to buy. */
export function warningsOf({ offerings, conditions, status }: Experiment, catalog: Catalog): string[] {
  if (status === 'stopped') return [];
  const apps = [...catalog.apps.values()].filter(({ id }) => isInAudience(id, conditions));
  return apps.flatMap((app) =>
    offerings.flatMap((offeringId, index) => {
      const packages = catalog.offerings.get(offeringId)?.packages ?? [];
      const products = packages.flatMap((item) => item.products.map(({ productId }) => productId));
      const sells = products.some((productId) => {
        const product = catalog.products.get(productId);
        return product?.appId === app.id && product.active;
      });
      return sells ? [] : [`Variant ${variantIds[index]} has no package for the app ${app.name}.`];
    }),
  );
}
