import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Answers to refund requests now require the customers' consent as a setting. Apps that had answers enabled had
 * confirmed it by enabling them.
 */
export class RefundDataConsent1796650000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE apps SET store_settings = (store_settings::jsonb || '{"refund_data_consent":"all_customers"}')::json
       WHERE type IN ('app_store', 'mac_app_store')
         AND coalesce(store_settings ->> 'refund_request_handling', 'do_not_handle') <> 'do_not_handle'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
