import type { MigrationInterface, QueryRunner } from 'typeorm';
import { distributeNewTable } from '../citus/distributed-tables.js';

/**
 * Last uses of API keys and OAuth grants get rows of their project: on Citus each node has a copy of keys and grants,
 * and an update of one row blocks those of all projects. Servers of 0.16 still write and read the old columns, so a
 * reader returns the later of both. The next release copies what they wrote after this migration and drops the columns.
 */
const table = `
CREATE TABLE credential_uses (
  project_id text NOT NULL,
  credential_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('api_key', 'oauth_grant')),
  last_used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, credential_id)
) WITH (fillfactor = 80)`;

const projectKey = 'ALTER TABLE credential_uses ADD FOREIGN KEY (project_id) REFERENCES projects (id)';

const rows = `
INSERT INTO credential_uses (project_id, credential_id, kind, last_used_at)
SELECT project_id, id, 'api_key', last_used_at FROM api_keys WHERE last_used_at IS NOT NULL
UNION ALL
SELECT project_id, id, 'oauth_grant', last_used_at FROM oauth_grants WHERE last_used_at IS NOT NULL`;

export class CredentialUses1797190000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(table);
    await distributeNewTable(queryRunner.manager, 'credential_uses');
    await queryRunner.query(projectKey);
    await queryRunner.query(rows);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
