import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Servers since 0.16.0 write themselves what these triggers wrote for older ones. A Citus cluster has none of them: the
 * trigger of a table that each node has a copy of cannot write another table.
 */
const triggers = [
  'projects_anchored ON projects',
  'apps_anchored ON apps',
  'products_charted ON products',
  'products_recharted ON products',
  'projects_recharted ON projects',
  'products_reported ON products',
  'products_rereported ON products',
  'product_entitlements_reported ON product_entitlements',
  'entitlements_unreported ON entitlements',
  'entitlements_rereported ON entitlements',
  'projects_unreported ON projects',
  'sql_users_dropped ON sql_users',
  'projects_delete_sql_users ON projects',
];

const functions = [
  'anchor_project()',
  'anchor_app()',
  'mark_chart_products()',
  'rebuild_charts_of_attributes()',
  'mark_report_products()',
  'mark_reported_attachments()',
  'mark_reported_entitlements()',
  'disable_reports()',
  'drop_sql_role()',
  'delete_sql_users()',
];

export class DropReferenceTriggers1797195000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Citus would send all commands of one string to the workers, as one.
    for (const trigger of triggers) await queryRunner.query(`DROP TRIGGER IF EXISTS ${trigger}`);
    for (const name of functions) await queryRunner.query(`DROP FUNCTION ${name}`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
