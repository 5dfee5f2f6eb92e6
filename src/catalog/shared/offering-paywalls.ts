import type { Transaction } from '../../platform/database/database.service.js';

/** Paywalls of offerings. Implemented by the paywalls, which need the offerings. */
export abstract class OfferingPaywalls {
  /** Returns the ids of published paywalls by the offering with which SDKs receive them. */
  abstract publishedOf(
    projectId: string,
    offeringIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;

  /** Returns the published paywalls that prevent deleting an offering. */
  abstract publishedIn(
    tx: Transaction,
    projectId: string,
    offeringId: string,
  ): Promise<readonly { id: string; name: string }[]>;
}
