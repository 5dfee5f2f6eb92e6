import type { Transaction } from '../database/database.service.js';

/** The organizations of a person whose account is deleted. The enterprise edition has them. */
export abstract class OrganizationDepartures {
  /**
   * Deletes the organizations without other members; their projects stay, with their people and roles. The account's
   * row takes the other memberships with it.
   * @throws ApiError 422 `last_owner` if an organization with other members would have no owner
   */
  abstract leaveAll(tx: Transaction, userId: string): Promise<void>;
}
