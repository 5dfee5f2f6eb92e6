import type { Transaction } from '../../database/database.service.js';

/** Handles the organizations of a deleted account. Implemented by the enterprise edition. */
export abstract class OrganizationDepartures {
  /**
   * Deletes organizations without other members; their projects remain, with their members and roles. Deleting the
   * account's row removes the other memberships.
   * @throws ApiError 422 `last_owner` if an organization with other members would have no owner
   */
  abstract leaveAll(tx: Transaction, userId: string): Promise<void>;
}
