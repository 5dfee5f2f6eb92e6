import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes of the team about customers. The foreign key also erases them for servers that do not know the table. */
export class CustomerNotes1796750000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE customer_notes (
         project_id text NOT NULL,
         id text NOT NULL,
         customer_id text NOT NULL,
         text text NOT NULL,
         author_type text NOT NULL,
         author_id text NOT NULL,
         author_email text,
         created_at timestamptz(3) NOT NULL,
         edited_at timestamptz(3),
         PRIMARY KEY (project_id, id),
         FOREIGN KEY (project_id, customer_id) REFERENCES customers (project_id, id) ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      `CREATE INDEX customer_notes_by_customer ON customer_notes (project_id, customer_id, created_at, id)`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
