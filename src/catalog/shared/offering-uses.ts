import type { Transaction } from '../../platform/database/database.service.js';

/** A targeting rule or an experiment that shows an offering to customers. */
export interface OfferingUse {
  id: string;
  displayName: string;
}

/** Uses of an offering that prevent archiving and deleting it. Implemented by the targeting area. */
export abstract class OfferingUses {
  /** Returns active and scheduled rules, and experiments that have not stopped. */
  abstract forOffering(
    tx: Transaction,
    projectId: string,
    offeringId: string,
    nowMs: number,
  ): Promise<OfferingUse[]>;
}
