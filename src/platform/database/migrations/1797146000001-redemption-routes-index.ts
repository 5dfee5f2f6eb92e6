import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/concurrent-index.js';

export class RedemptionRoutesIndex1797146000001 implements MigrationInterface {
  readonly transaction = false;

  up(queryRunner: QueryRunner): Promise<void> {
    return createIndexConcurrently(
      queryRunner,
      'redemption_link_routes_by_expiry',
      'ON redemption_link_routes (expires_at)',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
