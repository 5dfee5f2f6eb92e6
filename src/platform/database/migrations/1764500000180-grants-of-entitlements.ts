import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

/** Grants by what they unlock: they end with it. */
export class GrantsOfEntitlements1764500000180 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'subscriptions_by_grant',
      'ON subscriptions (project_id, granted_entitlement_id) WHERE granted_entitlement_id IS NOT NULL',
    );
    // Those whose entitlement was deleted before deletions ended them.
    await queryRunner.query(`
      UPDATE subscriptions s SET next_due_at = now()
      WHERE s.granted_entitlement_id IS NOT NULL AND s.status <> 'expired' AND NOT EXISTS (
        SELECT 1 FROM entitlements e WHERE e.project_id = s.project_id AND e.id = s.granted_entitlement_id)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
