import { Inject, Injectable } from '@nestjs/common';
import { type Clock, utcDay } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { SharedReads } from '../../../platform/database/shared-reads.js';
import { ActiveDaysService } from '../activity/active-days.service.js';
import { BackgroundQuestionsRepository } from '../background/background-questions.repository.js';
import { ChartCheckService } from './chart-check.service.js';
import { ChartRollupRepository } from './chart-rollup.repository.js';
import { ChartSourceRepository, type RollupPlace } from './chart-source.repository.js';
import { TableStatisticsRepository } from './table-statistics.repository.js';

/** Marks or customers per transaction. */
const BATCH = 500;
/** Days and facts per transaction. A large project has one day at a time. */
const DAYS = 60;
const FACTS_OF_DAYS = 20_000;
/** An answer rolls up at most this many pending marks. */
const MAX_WAITING = 500;
const DAY_MS = 86_400_000;
const ANALYZE_EVERY_MS = 10_000;

/**
 * Turns marks into facts, and facts of past days into sums. Each batch is one transaction that locks the project's row.
 * A crash changes nothing, and any number of processes share the projects.
 */
@Injectable()
export class ChartRollupService {
  private needsStatistics = false;
  private analyzedAtMs = -Infinity;
  /** The pictures of a page ask at the same time. Each waits for changes that another one is including. */
  private readonly caughtUp = new SharedReads<number>();

  constructor(
    private readonly source: ChartSourceRepository,
    private readonly repository: ChartRollupRepository,
    private readonly check: ChartCheckService,
    private readonly questions: BackgroundQuestionsRepository,
    private readonly statistics: TableStatisticsRepository,
    private readonly activeDays: ActiveDaysService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Processes one batch of each project with work. Returns false if there is none that no other process works on. */
  async pass(isStopping = (): boolean => false): Promise<boolean> {
    let hasWorked = false;
    for (const { projectId, isRegistered } of await this.source.dueProjects(this.yesterday(), this.now())) {
      if (isStopping()) break;
      if (!isRegistered) await this.source.registerProject(projectId);
      hasWorked = (await this.batch(projectId)) || hasWorked;
    }
    return hasWorked;
  }

  private async batch(projectId: string): Promise<boolean> {
    if (this.needsStatistics) {
      this.analyzedAtMs = performance.now();
      this.needsStatistics = false;
      await this.statistics.analyze();
    }
    return this.database.transaction(async (tx) => {
      const place = await this.source.lockProject(tx, projectId);
      if (place) await this.work(tx, projectId, place);
      return place !== null;
    });
  }

  /**
   * Updates a project if there is little work and no other process is updating it. Returns the time until which
   * everything is included.
   */
  catchUp(projectId: string): Promise<number> {
    return this.caughtUp.read(projectId, () => this.includePending(projectId));
  }

  private async includePending(projectId: string): Promise<number> {
    const nowMs = this.clock.nowMs();
    const first = await this.source.waiting(projectId, MAX_WAITING + 1);
    if (first.marks === 0 && !first.hasProductChange) return nowMs;
    if (first.marks <= MAX_WAITING) {
      if (!first.isRegistered) await this.source.registerProject(projectId);
      await this.database.transaction(async (tx) => {
        const place = await this.source.lockProject(tx, projectId);
        if (!place) return;
        await this.takeMarks(tx, projectId, place);
        if (first.hasProductChange) await this.continueProductChange(tx, projectId, place);
      });
    }
    const { sinceMs } = await this.source.waiting(projectId, MAX_WAITING + 1);
    return Math.min(sinceMs ?? nowMs, nowMs);
  }

  /** Derives all data of a project again, in the background. Charts remain available. */
  rebuild(projectId: string): Promise<void> {
    return this.source.requestRebuild(this.database, projectId);
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }

  private yesterday(): string {
    return utcDay(this.clock.nowMs() - DAY_MS);
  }

  /**
   * Does the first that applies: marks, a rebuild, a product change, sums of cohorts, completed or dirty days,
   * a level of cohorts, active customers, the daily check.
   */
  private async work(tx: Transaction, projectId: string, place: RollupPlace): Promise<void> {
    if ((await this.takeMarks(tx, projectId, place)) > 0) return;
    if (await this.source.startRebuild(tx, projectId)) place.rebuiltUntil = '';
    else if (!place.hasExactFacts && place.rebuiltUntil === null) {
      await this.source.startExactRebuild(tx, projectId);
      Object.assign(place, { rebuiltUntil: '', hasCohorts: false, cohortLevels: [] });
    }
    if (place.rebuiltUntil !== null) {
      const { rebuiltUntil } = place;
      const ids = await this.source.continueRebuild(tx, projectId, rebuiltUntil, BATCH);
      await this.derive(tx, projectId, ids, place);
      // Answers from before the rebuild, and from the middle of it.
      if (rebuiltUntil === '' || ids.length < BATCH) await this.questions.forgetAll(tx, projectId);
      return;
    }
    if (await this.continueProductChange(tx, projectId, place)) return;
    if (!place.hasCohorts) {
      await this.repository.sumCohorts(tx, projectId);
      return;
    }
    const yesterday = this.yesterday();
    if (place.closedUntil === null || place.closedUntil < yesterday) {
      await this.repository.closeDays(tx, projectId, yesterday, place.closedUntil);
    }
    const dirty = await this.repository.dirtyDays(tx, projectId, DAYS, FACTS_OF_DAYS);
    if (dirty.length > 0) {
      // Outside of this transaction, because its locks would last until the end.
      if (await this.hasOldStatistics(tx)) tx.afterCommit(() => (this.needsStatistics = true));
      else await this.repository.sumDays(tx, projectId, dirty);
      return;
    }
    if (!place.hasCohortDays) await this.repository.noteAllDaysSummed(tx, projectId);
    if (await this.repository.fillNextLevel(tx, projectId)) return;
    if (!(await this.activeDays.work(tx, projectId))) await this.check.checkIfDue(tx, projectId);
  }

  /** At most once in a while, in case the server may not analyze the tables. */
  private async hasOldStatistics(tx: Transaction): Promise<boolean> {
    return performance.now() - this.analyzedAtMs >= ANALYZE_EVERY_MS && (await this.statistics.hasGrown(tx));
  }

  /** Returns false if no product changed. */
  private async continueProductChange(
    tx: Transaction,
    projectId: string,
    place: RollupPlace,
  ): Promise<boolean> {
    const buyers = await this.source.continueProductChange(tx, projectId, BATCH);
    if (buyers !== null) await this.derive(tx, projectId, buyers, place);
    return buyers !== null;
  }

  private async takeMarks(tx: Transaction, projectId: string, place: RollupPlace): Promise<number> {
    const { marks, customerIds } = await this.source.takeMarks(tx, projectId, BATCH);
    await this.derive(tx, projectId, customerIds, place);
    return marks;
  }

  private async derive(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    place: RollupPlace,
  ): Promise<void> {
    if (customerIds.length === 0) return;
    const derived = await this.source.derive(tx, projectId, customerIds);
    await this.repository.save(tx, projectId, customerIds, derived, place);
    // A segment of a stored answer can be a value that only a deleted customer had.
    if (derived.customers.length < customerIds.length) await this.questions.forgetAll(tx, projectId);
  }
}
