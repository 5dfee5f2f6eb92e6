import type { Decision } from './decide.js';
import { type ExperimentTerms, type TargetingRuleTerms, type VariantId, variantIds } from './model.js';

/** Ids of the offerings in a response. Null: no offering. */
export interface Presentation {
  current: string | null;
  fallback: string | null;
  placements: [identifier: string, offeringId: string | null][];
}

export function presentationOfOffering(offeringId: string | null): Presentation {
  return { current: offeringId, fallback: offeringId, placements: [] };
}

export function presentationOfRule({ offeringId, placements }: TargetingRuleTerms): Presentation {
  if (placements === null) return presentationOfOffering(offeringId);
  return {
    current: offeringId,
    fallback: placements.fallbackOfferingId,
    placements: placements.offerings.map((row) => [row.placementIdentifier, row.offeringId]),
  };
}

/** Placements that the variant omits show the fallback. */
export function presentationOfVariant(experiment: ExperimentTerms, variant: VariantId): Presentation {
  const own = experiment.offerings[variantIds.indexOf(variant)] ?? null;
  const { placements } = experiment;
  if (placements === null) return presentationOfOffering(own);
  return {
    current: own,
    fallback: placements.fallback[variant] ?? own,
    placements: placements.offerings.flatMap(({ placementIdentifier, offerings }) => {
      const offeringId = offerings[variant];
      return offeringId === undefined ? [] : [[placementIdentifier, offeringId] as [string, string | null]];
    }),
  };
}

/** Returns the offerings for a decision; by default the project's current offering. */
export function presentationOf(decision: Decision, currentOfferingId: string | null): Presentation {
  switch (decision.source) {
    case 'override':
      return presentationOfOffering(decision.offeringId);
    case 'enrolled':
    case 'joins':
      return presentationOfVariant(decision.experiment, decision.variant);
    case 'rule':
      return presentationOfRule(decision.rule);
    case 'default':
      return presentationOfOffering(currentOfferingId);
  }
}
