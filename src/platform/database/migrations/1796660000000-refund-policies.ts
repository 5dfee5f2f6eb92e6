import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Policies that decide how refund requests are answered. The default one is created on first use. */
export class RefundPolicies1796660000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE refund_policies (
         project_id text NOT NULL,
         id text NOT NULL,
         position integer CHECK (position >= 1),
         display_name text NOT NULL,
         stores text[] NOT NULL,
         conditions jsonb NOT NULL,
         preference text NOT NULL
           CHECK (preference IN ('grant_full', 'grant_prorated', 'decline', 'neutral', 'do_not_answer')),
         hold_minutes integer NOT NULL CHECK (hold_minutes BETWEEN 0 AND 1440),
         is_default boolean NOT NULL,
         created_at timestamptz(3) NOT NULL,
         updated_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, id),
         FOREIGN KEY (project_id) REFERENCES projects (id),
         CHECK (is_default = (position IS NULL))
       )`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX refund_policies_default_unique ON refund_policies (project_id) WHERE is_default`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
