import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';
import type { DirtyDay } from './chart-rollup.repository.js';

const due = statement(
  'charts.check_due',
  `SELECT c.checked_until AS "checkedUntil" FROM chart_projects c
   WHERE c.project_id = $1 AND (c.check_due_at IS NULL OR c.check_due_at <= $2)`,
);

const dueAgain = statement(
  'charts.check_due_again',
  'UPDATE chart_projects SET check_due_at = $2, checked_until = $3 WHERE project_id = $1',
);

const customersToCheck = statement(
  'charts.customers_to_check',
  `SELECT id FROM customers WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
);

/** Customers marked since the sample was read may differ. */
const isMarked = statement(
  'charts.is_marked',
  `SELECT EXISTS (SELECT 1 FROM chart_changes WHERE project_id = $1)
     OR EXISTS (SELECT 1 FROM chart_product_changes WHERE project_id = $1)
     OR EXISTS (SELECT 1 FROM chart_rebuilds WHERE project_id = $1) AS "isMarked"`,
);

const daysToCheck = statement(
  'charts.days_to_check',
  `SELECT environment, to_char(day, 'YYYY-MM-DD') AS day FROM (
     SELECT DISTINCT environment, day FROM chart_days WHERE project_id = $1 AND level = 'all'
       AND environment = ANY ('{production,sandbox}')) d
   WHERE NOT EXISTS (SELECT 1 FROM chart_dirty_days m
     WHERE m.project_id = $1 AND m.environment = d.environment AND m.day = d.day)
   ORDER BY random() LIMIT $2`,
);

const sumsOf = statement(
  'charts.sums_of_day',
  `SELECT coalesce(md5(string_agg(d::text, ',' ORDER BY d::text)), '') AS sums FROM chart_days d
   WHERE d.project_id = $1 AND d.environment = $2 AND d.day = $3::date AND d.level IN ('all', 'coarse', 'fine')`,
);

@Injectable()
export class ChartChecksRepository {
  /** Returns the id of the last customer checked, which may be empty; null if the project is not due. */
  async findDue(tx: Transaction, projectId: string, now: Date): Promise<string | null> {
    const [row] = await tx.query<{ checkedUntil: string }>(due, [projectId, now]);
    return row ? row.checkedUntil : null;
  }

  async setDue(tx: Transaction, projectId: string, dueAt: Date, checkedUntil: string): Promise<void> {
    await tx.query(dueAgain, [projectId, dueAt, checkedUntil]);
  }

  async customersAfter(
    tx: Transaction,
    projectId: string,
    afterId: string,
    limit: number,
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(customersToCheck, [projectId, afterId, limit]);
    return rows.map(({ id }) => id);
  }

  async hasMarks(tx: Transaction, projectId: string): Promise<boolean> {
    const [row] = await tx.query<{ isMarked: boolean }>(isMarked, [projectId]);
    return row?.isMarked === true;
  }

  /** Returns random days whose sums are current. */
  sampleDays(tx: Transaction, projectId: string, limit: number): Promise<DirtyDay[]> {
    return tx.query<DirtyDay>(daysToCheck, [projectId, limit]);
  }

  /** Returns a hash of the sums of a day. */
  async sumsOf(tx: Transaction, projectId: string, { environment, day }: DirtyDay): Promise<string> {
    const [row] = await tx.query<{ sums: string }>(sumsOf, [projectId, environment, day]);
    return row?.sums ?? '';
  }
}
