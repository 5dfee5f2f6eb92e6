import type { MigrationInterface, QueryRunner } from 'typeorm';
import { oauthTables } from './oauth/oauth.sql.js';

/** OAuth clients and what people let them do. An older server still runs on it. */
export class Oauth1766200000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(oauthTables);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
