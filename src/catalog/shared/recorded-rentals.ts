import type { Transaction } from '../../platform/database/database.service.js';

/**
 * Recorded purchases of a one-time product that may turn out to be rentals: an older version of this server recorded
 * rentals as outright purchases. The stores area provides it.
 */
export abstract class RecordedRentals {
  /** Schedules reading them from the store again, now that the product has a duration. */
  abstract readAgain(
    tx: Transaction,
    projectId: string,
    appId: string,
    storeIdentifier: string,
  ): Promise<void>;
}
