import type { Transaction } from '../../platform/database/database.service.js';

/** Grants of an entitlement to customers. Implemented by the purchases. */
export abstract class EntitlementGrants {
  /** Due work then expires the grants, because the entitlement is deleted. */
  abstract makeDue(tx: Transaction, projectId: string, entitlementId: string, now: Date): Promise<void>;
}
