import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { ActiveDaysService } from '../activity/active-days.service.js';
import { BackgroundQuestionsRepository } from '../background/background-questions.repository.js';
import { ChartChecksRepository } from './chart-checks.repository.js';
import { ChartPiecesRepository } from './chart-pieces.repository.js';
import { ChartRollupRepository, type DirtyDay } from './chart-rollup.repository.js';
import { ChartSourceRepository } from './chart-source.repository.js';

const EVERY_MS = 86_400_000;
/** Customers per project and day. Each day continues where the previous one stopped. */
const CUSTOMERS = 200;
const DAYS = 3;
const ACTIVE_DAYS = 1;
const MAX_LOGGED = 5;

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
    private readonly checks: ChartChecksRepository,
    private readonly pieces: ChartPiecesRepository,
    private readonly questions: BackgroundQuestionsRepository,
    private readonly activeDays: ActiveDaysService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
    registry: Registry,
  ) {
    this.counter = new Counter({
      name: 'tenure_chart_differences_total',
      help: 'Customers, days and sums of cohorts of the daily sample whose stored figures of charts were not what they are computed from.',
      labelNames: ['of'],
      registers: [registry],
    });
    for (const what of ['customers', 'days', 'cohort_days', 'cohort_sums', 'active_days'])
      this.counter.inc({ of: what }, 0);
  }

  /** The project must be locked and have no marks. */
  async checkIfDue(tx: Transaction, projectId: string): Promise<void> {
    const nowMs = this.clock.nowMs();
    const checkedUntil = await this.checks.findDue(tx, projectId, new Date(nowMs));
    if (checkedUntil === null) return;
    const ids = await this.checks.customersAfter(tx, projectId, checkedUntil, CUSTOMERS);
    await this.checkCustomers(tx, projectId, ids);
    await this.checkDays(tx, projectId);
    await this.checkCohorts(tx, projectId);
    await this.checkActiveDays(tx, projectId);
    await this.source.forgetUnused(tx, projectId);
    await this.pieces.renew(tx, projectId, new Date(nowMs));
    await this.questions.forgetUnasked(tx, projectId, new Date(nowMs - EVERY_MS));
    const next = ids.length < CUSTOMERS ? '' : (ids.at(-1) ?? '');
    await this.checks.setDue(tx, projectId, new Date(nowMs + EVERY_MS), next);
  }

  private async checkCustomers(tx: Transaction, projectId: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const derived = await this.source.derive(tx, projectId, ids);
    const { removed, added } = await this.repository.differences(tx, projectId, ids, derived);
    const keys = new Set(
      [...removed, ...added].map((fact) => `${fact.customerId} ${fact.purchaseId} ${fact.factKey}`),
    );
    if (keys.size === 0) return;
    if (await this.checks.hasMarks(tx, projectId)) return;
    await this.report(tx, projectId, 'customers', keys.size, {
      stored: removed.slice(0, MAX_LOGGED),
      derived: added.slice(0, MAX_LOGGED),
    });
  }

  private async checkDays(tx: Transaction, projectId: string): Promise<void> {
    for (const day of await this.checks.sampleDays(tx, projectId, DAYS)) {
      const before = await this.hashesOf(tx, projectId, day);
      await this.repository.sumDays(tx, projectId, [day]);
      const after = await this.hashesOf(tx, projectId, day);
      for (const sums of ['days', 'cohort_days'] as const) {
        if (before[sums] !== after[sums]) await this.report(tx, projectId, sums, 1, { day });
      }
    }
  }

  private async hashesOf(
    tx: Transaction,
    projectId: string,
    day: DirtyDay,
  ): Promise<Record<'days' | 'cohort_days', string>> {
    return {
      days: await this.checks.sumsOf(tx, projectId, day),
      cohort_days: await this.repository.cohortDaysHash(tx, projectId, day),
    };
  }

  /** Only the levels that differ are summed again. */
  private async checkCohorts(tx: Transaction, projectId: string): Promise<void> {
    const levels = await this.repository.checkCohorts(tx, projectId);
    if (levels.length > 0) this.count(tx, projectId, 'cohort_sums', levels.length, { levels });
  }

  /** Only the days that differ are summed again. */
  private async checkActiveDays(tx: Transaction, projectId: string): Promise<void> {
    const days = await this.activeDays.findDifferences(tx, projectId, ACTIVE_DAYS);
    if (days.length > 0) this.count(tx, projectId, 'active_days', days.length, { days });
  }

  private async report(
    tx: Transaction,
    projectId: string,
    of: 'customers' | 'days' | 'cohort_days',
    count: number,
    found: object,
  ): Promise<void> {
    await this.source.requestRebuild(tx, projectId);
    this.count(tx, projectId, of, count, found);
  }

  private count(tx: Transaction, projectId: string, of: string, count: number, found: object): void {
    tx.afterCommit(() => {
      this.counter.inc({ of }, count);
      this.log.error(
        { projectId, of, ...found },
        'stored figures of charts differ from what they are computed from; they are computed again',
      );
    });
  }
}
