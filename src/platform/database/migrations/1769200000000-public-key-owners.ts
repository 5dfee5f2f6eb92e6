import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The project that first used each public key. Rows outlive apps and projects, because shipped builds do.
 * Keys that apps of an earlier version gave up before are unknown: only keys in use now are entered.
 */
export class PublicKeyOwners1769200000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE public_key_owners (
         key_hash bytea PRIMARY KEY,
         owner_project_id text NOT NULL
       )`,
    );
    await queryRunner.query(
      `INSERT INTO public_key_owners (key_hash, owner_project_id)
       SELECT key_hash, project_id FROM credential_routes WHERE kind = 'public_key'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
