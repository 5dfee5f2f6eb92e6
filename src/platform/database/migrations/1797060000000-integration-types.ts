import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Integrations of other types than webhooks. Their secrets are sealed together, and only webhooks sign. */
export class IntegrationTypes1797060000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE webhook_integrations
         ADD COLUMN type text NOT NULL DEFAULT 'webhook' CHECK (type IN ('webhook', 'segment', 'amplitude', 'mixpanel',
           'posthog', 'customerio', 'braze', 'firebase', 'appsflyer', 'adjust', 'meta', 'slack', 'discord', 'http')),
         ADD COLUMN settings jsonb,
         ADD COLUMN sealed_settings text,
         ADD COLUMN event_names jsonb,
         ADD COLUMN revenue text CHECK (revenue IN ('gross', 'after_commission', 'after_commission_and_taxes')),
         ADD COLUMN attributes text CHECK (attributes IN ('all', 'none')),
         ADD COLUMN send_from timestamptz(3),
         ALTER COLUMN url DROP NOT NULL,
         ALTER COLUMN sealed_signing_secret DROP NOT NULL,
         ADD CHECK (type <> 'webhook' OR url IS NOT NULL),
         ADD CHECK ((type = 'webhook') = (sealed_signing_secret IS NOT NULL))`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
