import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Grants, changes of owners, offering overrides, the erasure of long histories. */
export class CustomerRecords1764250000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE subscriptions ADD COLUMN granted_entitlement_id text;
      ALTER TABLE customers ADD COLUMN adservices_token text;

      -- True once any customer of the project has been given an offering of their own; never false again. While it
      -- is false, the SDKs' offerings are answered without asking for the customer.
      ALTER TABLE projects ADD COLUMN has_offering_overrides boolean NOT NULL DEFAULT false;

      -- Why a purchase (subscription or one-time) went from one customer to another. The ids are those by which
      -- the customers were known then; null when that customer has been deleted since.
      CREATE TABLE ownership_changes (
        project_id text NOT NULL,
        purchase_id text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        id text NOT NULL,
        from_customer_id text NOT NULL,
        from_app_user_id text,
        to_customer_id text NOT NULL,
        to_app_user_id text,
        rule text NOT NULL CHECK (rule IN ('transfer', 'transfer_if_no_active', 'share', 'anonymous_owner',
          'sign_in', 'alias', 'transfer_action')),
        is_restore boolean,
        request_id text NOT NULL,
        PRIMARY KEY (project_id, purchase_id, occurred_at, id)
      );
      CREATE INDEX ownership_changes_by_giver ON ownership_changes (project_id, from_customer_id);
      CREATE INDEX ownership_changes_by_taker ON ownership_changes (project_id, to_customer_id);

      -- Deleted customers whose history was too long for one transaction.
      CREATE TABLE customer_erasures (
        project_id text NOT NULL,
        customer_id text NOT NULL,
        requested_at timestamptz(3) NOT NULL,
        PRIMARY KEY (project_id, customer_id)
      )`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
