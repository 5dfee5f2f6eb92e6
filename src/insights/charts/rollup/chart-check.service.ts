import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { ChartRollupRepository, type DirtyDay } from './chart-rollup.repository.js';
import { ChartSourceRepository } from './chart-source.repository.js';
import { requestRebuild } from './source.sql.js';

const EVERY_MS = 86_400_000;
/** Customers per project and day. Each day continues where the previous one stopped. */
const CUSTOMERS = 200;
const DAYS = 3;
const MAX_LOGGED = 5;

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

/**
 * Derives a sample of each project again, once a day. A difference is a bug in this server or in another writer of the
 * tables. It is counted and logged, and the project is rebuilt.
 */
@Injectable()
export class ChartCheckService {
  private readonly counter: Counter;

  constructor(
    private readonly source: ChartSourceRepository,
    private readonly repository: ChartRollupRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
    registry: Registry,
  ) {
    this.counter = new Counter({
      name: 'tenure_chart_differences_total',
      help: 'Customers or days of the daily sample whose stored figures of charts were not what they are computed from.',
      labelNames: ['of'],
      registers: [registry],
    });
    for (const what of ['customers', 'days']) this.counter.inc({ of: what }, 0);
  }

  /** The project must be locked and have no marks. */
  async checkIfDue(tx: Transaction, projectId: string): Promise<void> {
    const nowMs = this.clock.nowMs();
    const [place] = await tx.query<{ checkedUntil: string }>(due, [projectId, new Date(nowMs)]);
    if (!place) return;
    const rows = await tx.query<{ id: string }>(customersToCheck, [projectId, place.checkedUntil, CUSTOMERS]);
    const ids = rows.map(({ id }) => id);
    await this.checkCustomers(tx, projectId, ids);
    await this.checkDays(tx, projectId);
    await this.source.forgetUnused(tx, projectId);
    const next = ids.length < CUSTOMERS ? '' : ids.at(-1);
    await tx.query(dueAgain, [projectId, new Date(nowMs + EVERY_MS), next]);
  }

  private async checkCustomers(tx: Transaction, projectId: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const derived = await this.source.derive(tx, projectId, ids);
    const { removed, added } = await this.repository.differences(tx, projectId, ids, derived);
    const keys = new Set(
      [...removed, ...added].map((fact) => `${fact.customerId} ${fact.purchaseId} ${fact.factKey}`),
    );
    if (keys.size === 0) return;
    const [marks] = await tx.query<{ isMarked: boolean }>(isMarked, [projectId]);
    if (marks?.isMarked) return;
    await this.report(tx, projectId, 'customers', keys.size, {
      stored: removed.slice(0, MAX_LOGGED),
      derived: added.slice(0, MAX_LOGGED),
    });
  }

  private async checkDays(tx: Transaction, projectId: string): Promise<void> {
    for (const day of await tx.query<DirtyDay>(daysToCheck, [projectId, DAYS])) {
      const values = [projectId, day.environment, day.day];
      const [before] = await tx.query<{ sums: string }>(sumsOf, values);
      await this.repository.sumDays(tx, projectId, [day]);
      const [after] = await tx.query<{ sums: string }>(sumsOf, values);
      if (before?.sums !== after?.sums) await this.report(tx, projectId, 'days', 1, { day });
    }
  }

  private async report(
    tx: Transaction,
    projectId: string,
    of: 'customers' | 'days',
    count: number,
    found: object,
  ): Promise<void> {
    await tx.query(requestRebuild, [projectId]);
    tx.afterCommit(() => {
      this.counter.inc({ of }, count);
      this.log.error(
        { projectId, ...found },
        'stored figures of charts differ from what they are computed from; the project is rebuilt',
      );
    });
  }
}
