import { Injectable } from '@nestjs/common';
import { EntitlementGrants } from '../../catalog/shared/entitlement-grants.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

const makeGrantsDue = statement(
  'entitlements.make_grants_due',
  `UPDATE subscriptions SET next_due_at = $3
   WHERE project_id = $1 AND granted_entitlement_id = $2 AND status <> 'expired'`,
);

@Injectable()
export class EntitlementGrantsRepository implements EntitlementGrants {
  async makeDue(tx: Transaction, projectId: string, entitlementId: string, now: Date): Promise<void> {
    await tx.query(makeGrantsDue, [projectId, entitlementId, now]);
  }
}
