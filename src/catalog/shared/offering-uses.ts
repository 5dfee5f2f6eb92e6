import type { Transaction } from '../../platform/database/database.service.js';

/** A targeting rule or an experiment that shows an offering to customers. */
export interface OfferingUse {
  id: string;
  displayName: string;
}

/** What else needs an offering, so that it can be neither archived nor deleted. The targeting area provides it. */
export abstract class OfferingUses {
  /** Rules that are active or scheduled, and experiments that have not stopped. */
  abstract of(tx: Transaction, projectId: string, offeringId: string, nowMs: number): Promise<OfferingUse[]>;
}
