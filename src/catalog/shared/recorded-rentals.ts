import type { Transaction } from '../../platform/database/database.service.js';

/**
 * Recorded purchases of a one-time product that may be rentals: an older version of this server recorded rentals as
 * outright purchases. Implemented by the stores area.
 */
export abstract class RecordedRentals {
  /** Schedules reading them from the store again, because the product now has a duration. */
  abstract readAgain(
    tx: Transaction,
    projectId: string,
    appId: string,
    storeIdentifier: string,
  ): Promise<void>;
}
