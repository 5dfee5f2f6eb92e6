import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Locks are short, because each page commits on its own. */
const PAGE = 2_000;

const fields = ['country', 'platform', 'app_version'];

const lastOfPage = `SELECT max(id) AS id FROM (
  SELECT c.id FROM customers c WHERE c.project_id = $1 AND c.id > $2 ORDER BY c.id LIMIT ${PAGE}) page`;

const fill = `UPDATE customers c SET ${fields
  .map((field) => `first_seen_${field} = coalesce(c.first_seen_${field}, c.last_seen_${field})`)
  .join(', ')}
  WHERE c.project_id = $1 AND c.id > $2 AND c.id <= $3 AND c.last_seen_at < c.first_seen_at + interval '1 day'
    AND (${fields
      .map((field) => `c.first_seen_${field} IS NULL AND c.last_seen_${field} IS NOT NULL`)
      .join(' OR ')})`;

/** A customer was active on the day of the last contact, which an import alone may know. */
const addDay = `INSERT INTO customer_days (project_id, customer_id, day)
  SELECT c.project_id, c.id, (c.last_seen_at AT TIME ZONE 'UTC')::date FROM customers c
  WHERE c.project_id = $1 AND c.id > $2 AND c.id <= $3 AND c.last_seen_at IS NOT NULL
  ON CONFLICT (project_id, customer_id, day) DO NOTHING`;

/** Charts of the sandbox split by the first purchase there, which is derived again in the background. */
const rebuildSandboxes = `INSERT INTO chart_rebuilds (project_id) SELECT p.id FROM projects p
  WHERE p.deleted_at IS NULL AND EXISTS (
    SELECT 1 FROM chart_facts f WHERE f.project_id = p.id AND f.environment = 'sandbox')
  ON CONFLICT DO NOTHING`;

/**
 * Earlier versions did not write the first country, platform and app version until the second contact. A customer who
 * was last seen within a day of the first contact still has its values. Nothing remembers those of other customers.
 */
export class FirstSeen1769800000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE chart_customers ADD COLUMN IF NOT EXISTS sandbox_dims_id uuid');
    const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
      (await queryRunner.query(sql, values)) as Row[];
    for (const { id } of await query<{ id: string }>('SELECT id FROM projects ORDER BY id')) {
      let after: string | null = '';
      while (after !== null) {
        const [page]: { id: string | null }[] = await query(lastOfPage, [id, after]);
        if (page?.id) {
          await query(fill, [id, after, page.id]);
          await query(addDay, [id, after, page.id]);
        }
        after = page?.id ?? null;
      }
    }
    await query(rebuildSandboxes);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
