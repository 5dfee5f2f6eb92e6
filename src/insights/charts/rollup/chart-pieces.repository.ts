import { Injectable } from '@nestjs/common';
import { DatabaseService, type Executor } from '../../../platform/database/database.service.js';
import { epochMs } from '../../../platform/database/epoch-ms.js';
import { markedDays } from '../activity/active-days.sql.js';
import { MAX_OPEN_DAYS } from '../activity/activity-limits.js';
import { longStatement, statement } from '../../../platform/database/statement.js';

/** Customers of a piece. */
const CUSTOMERS = 20_000;
const SAMPLED_PIECES = 3;

export interface DividedProject {
  customers: number;
  facts: number;
  payers: number;
  runs: number;
  activeDays: number;
  views: number;
  countedAtMs: number | null;
  firstDayMs: number | null;
  closedUntilMs: number | null;
  /** Past days whose sums are not current, counted up to 100. */
  dirtyDays: number;
  /** Whether all other past days are summed by the first days of customers. */
  hasCohortDays: boolean;
  hasActiveDays: boolean;
  /** Levels whose cohorts are summed by sets of values. */
  cohortLevels: readonly string[];
  /** The first customers of all pieces but the first, in order. */
  boundaries: string[];
}

const boundaries = statement(
  'charts.piece_boundaries',
  'SELECT from_customer_id AS id FROM chart_pieces WHERE project_id = $1 ORDER BY from_customer_id',
);

const findProject = statement(
  'charts.divided_project',
  `SELECT customers::float8, facts::float8, payers::float8, runs::float8, active_days::float8 AS "activeDays", views::float8,
     ${epochMs('counted_at')} AS "countedAtMs",
     active_days_until IS NOT NULL AND (SELECT count(*) FROM (
       ${markedDays} SELECT 1 FROM marked d WHERE d.day IS NOT NULL LIMIT ${MAX_OPEN_DAYS}) d) < ${MAX_OPEN_DAYS} AS "hasActiveDays",
     (SELECT ${epochMs("n.cohort_day::timestamp AT TIME ZONE 'UTC'")} FROM chart_cohort_counts n
      WHERE n.project_id = $1 AND n.environment = 'any' ORDER BY n.cohort_day LIMIT 1) AS "firstDayMs",
     has_cohorts AND has_cohort_days AND has_exact_facts AS "hasCohortDays",
     cohort_levels AS "cohortLevels", ${epochMs("closed_until::timestamp AT TIME ZONE 'UTC'")} AS "closedUntilMs",
     (SELECT count(*)::int FROM (
       SELECT 1 FROM chart_dirty_days d WHERE d.project_id = $1 LIMIT 100) m) AS "dirtyDays",
     ARRAY(SELECT p.from_customer_id FROM chart_pieces p WHERE p.project_id = $1
       ORDER BY p.from_customer_id) AS boundaries
   FROM chart_projects WHERE project_id = $1`,
);

const deleteBoundaries = statement('charts.delete_pieces', 'DELETE FROM chart_pieces WHERE project_id = $1');

const insertBoundaries = longStatement(
  'charts.insert_pieces',
  `INSERT INTO chart_pieces (project_id, from_customer_id)
   SELECT c.project_id, c.customer_id FROM (
     SELECT m.project_id, m.customer_id, row_number() OVER (ORDER BY m.customer_id) AS place
     FROM chart_customers m WHERE m.project_id = $1) c
   WHERE c.place % $2::int = 1 AND c.place > 1
   ON CONFLICT (project_id, from_customer_id) DO NOTHING`,
);

const countCustomers = longStatement(
  'charts.count_customers',
  'SELECT count(*)::float8 AS customers FROM chart_customers WHERE project_id = $1',
);

const rowsOf = (table: string): string =>
  `(SELECT count(*) FROM ${table} t CROSS JOIN sample s WHERE t.project_id = $1
     AND t.customer_id >= s.from_id AND (s.to_id IS NULL OR t.customer_id < s.to_id))::float8`;

/** Rows of some pieces: boundaries $2 to $3. */
const countSample = longStatement(
  'charts.count_sample',
  `WITH sample AS (SELECT * FROM unnest($2::text[], $3::text[]) AS s (from_id, to_id))
   SELECT ${rowsOf('chart_customers')} AS customers, ${rowsOf('chart_facts')} AS facts,
     ${rowsOf('chart_payers')} AS payers, ${rowsOf('chart_runs')} AS runs, ${rowsOf('customer_days')} AS "activeDays"`,
);

const countViews = longStatement(
  'charts.count_views',
  'SELECT count(*)::float8 AS views FROM paywall_views WHERE project_id = $1',
);

const saveCounts = statement(
  'charts.save_counts',
  `UPDATE chart_projects SET counted_at = $2, customers = $3, facts = $4, payers = $5, runs = $6, active_days = $7,
     views = $8
   WHERE project_id = $1`,
);

/** The pieces of a project's customers, and about how many rows they have. */
@Injectable()
export class ChartPiecesRepository {
  constructor(private readonly database: DatabaseService) {}

  async find(projectId: string): Promise<DividedProject> {
    const [row] = await this.database.query<DividedProject>(findProject, [projectId]);
    const none = { customers: 0, facts: 0, payers: 0, runs: 0, activeDays: 0, views: 0 };
    return (
      row ?? {
        ...none,
        countedAtMs: null,
        firstDayMs: null,
        closedUntilMs: null,
        dirtyDays: 0,
        hasCohortDays: false,
        hasActiveDays: false,
        cohortLevels: [],
        boundaries: [],
      }
    );
  }

  /** Divides the customers again. Any boundaries are right; these are about equally far apart. */
  async renew(executor: Executor, projectId: string, now: Date): Promise<void> {
    await executor.query(deleteBoundaries, [projectId]);
    await executor.query(insertBoundaries, [projectId, CUSTOMERS]);
    const ids = ['', ...(await executor.query<{ id: string }>(boundaries, [projectId])).map(({ id }) => id)];
    const [{ customers } = { customers: 0 }] = await executor.query<{ customers: number }>(countCustomers, [
      projectId,
    ]);
    const sampled = Math.min(SAMPLED_PIECES, ids.length);
    const places = Array.from({ length: sampled }, (_, index) => Math.floor((index * ids.length) / sampled));
    const [sample] = await executor.query<DividedProject>(countSample, [
      projectId,
      places.map((place) => ids[place]),
      places.map((place) => ids[place + 1] ?? null),
    ]);
    if (!sample) return;
    const [{ views } = { views: 0 }] = await executor.query<{ views: number }>(countViews, [projectId]);
    const times = sample.customers === 0 ? 0 : customers / sample.customers;
    const rows = [sample.facts, sample.payers, sample.runs, sample.activeDays];
    await executor.query(saveCounts, [
      projectId,
      now,
      customers,
      ...rows.map((count) => Math.round(count * times)),
      views,
    ]);
  }
}
