import type { PublishedWorkflow } from '../../../libs/paywalls/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';

/** Offerings that customers may be shown: the current one, and those of rules, placements and experiments. */
function presentableOfferings({ currentOffering, targeting }: Catalog): Set<string | null | undefined> {
  const rules = targeting.rules.flatMap(({ terms: { offeringId, placements } }) => [
    offeringId,
    placements?.fallbackOfferingId,
    ...(placements?.offerings.map((placement) => placement.offeringId) ?? []),
  ]);
  const experiments = [...targeting.live.values()].flatMap(({ terms: { offerings, placements } }) => [
    ...offerings,
    ...Object.values(placements?.fallback ?? {}),
    ...(placements?.offerings.flatMap((placement) => Object.values(placement.offerings)) ?? []),
  ]);
  return new Set([currentOffering?.id, ...rules, ...experiments]);
}

/** The workflows of a catalog: that of the current offering first, then the newest. */
export function workflowsOf(catalog: Catalog): PublishedWorkflow[] {
  const currentId = catalog.currentOffering?.id;
  const presentable = presentableOfferings(catalog);
  const isCurrent = ({ offeringId }: { offeringId: string }): boolean => offeringId === currentId;
  const paywalls = catalog.servedPaywalls;
  const ordered = [...paywalls.filter(isCurrent), ...paywalls.filter((paywall) => !isCurrent(paywall))];
  return ordered.map(({ id, offeringId, ref }) => ({
    paywallId: id,
    offeringIdentifier: catalog.offerings.get(offeringId)?.lookupKey ?? offeringId,
    ref,
    prefetch: presentable.has(offeringId),
  }));
}
