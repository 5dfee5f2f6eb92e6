import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Config } from '../config/config.js';
import { sqlState } from '../database/database-errors.js';
import { deleteInBatches } from '../jobs/batches.js';
import { jobName, runRound } from '../jobs/job-events.js';
import { WorkLoop } from '../jobs/work-loop.js';
import { Log } from '../observability/log.js';
import { endedRanges, missingMonths, monthOf, nameOf, outdated, type Partition } from './months.js';
import { type PartitionedTable, partitionedTables } from './partitioned-tables.js';
import { type DropResult, PartitionsRepository } from './partitions.repository.js';

const STATISTICS_JOB = jobName('partition_statistics');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Months for which there are partitions before they begin. */
const MONTHS_AHEAD = 3;
const LOCK_NOT_AVAILABLE = '55P03';
const MAX_ATTEMPTS = 5;

/**
 * Makes the partitions of coming months and ends what is older than its retention: whole months by dropping their
 * partition, and by batches what is in no month's partition, or in one that has rows which must stay. At the start and
 * every hour, in any number of processes: each change is made by one of them.
 */
@Injectable()
export class PartitionMaintenance implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: PartitionsRepository,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'partitions were not looked after; the next hour tries again'),
      'partitions',
    );
  }

  onApplicationBootstrap(): void {
    if (this.config.runsJobs) void this.run();
  }

  /** Does all there is to do now. */
  @Interval('partition-maintenance', HOUR_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  /**
   * Plans that were made before a month began take its partition for empty and read all of it. Autovacuum finds out when
   * it gets there; this, within a minute.
   */
  @Interval('partition-statistics', MINUTE_MS)
  keepStatistics(): Promise<void> {
    return runRound(
      STATISTICS_JOB,
      async () => {
        const month = monthOf(this.clock.nowMs());
        for (const name of await this.repository.withoutStatistics(partitionedTables, month)) {
          await this.repository.analyze(name);
        }
      },
      (error) => this.log.error({ err: error }, 'statistics of partitions were not looked after'),
    );
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<void> {
    for (const [table, partitions] of await this.repository.partitionsOf(partitionedTables)) {
      const made = await this.attempt(table, () => this.makeMonths(table, partitions));
      const dropped = await this.attempt(table, () => this.endOldRows(table, partitions));
      if (made || dropped) await this.repository.analyze(table.name);
    }
  }

  /** One table, or half of the work on it, keeps the rest waiting no longer than it must. */
  private async attempt(table: PartitionedTable, work: () => Promise<boolean>): Promise<boolean> {
    if (this.loop.isStopping) return false;
    try {
      return await work();
    } catch (error) {
      const message = 'the partitions of a table could not be changed; the next hour tries again';
      this.log.error({ err: error, table: table.name }, message);
      return false;
    }
  }

  private async makeMonths(table: PartitionedTable, partitions: Partition[]): Promise<boolean> {
    let changed = false;
    for (const month of missingMonths(partitions, this.clock.nowMs(), MONTHS_AHEAD)) {
      const place = { table: table.name, month: nameOf(month) };
      if (await this.repository.isInDefault(table, month)) {
        this.log.warn(place, 'rows of a month stand in the default partition and stay there');
      } else if (await this.patiently(() => this.repository.create(table, month))) {
        this.log.info(place, 'made the partition of a month');
        changed = true;
      }
    }
    return changed;
  }

  private async endOldRows(table: PartitionedTable, partitions: Partition[]): Promise<boolean> {
    const days = table.retentionDays(this.config);
    if (days === null) return false;
    const before = new Date(this.clock.nowMs() - days * DAY_MS);
    const { expired, mixed } = outdated(partitions, before);
    let changed = false;
    for (const partition of expired) {
      const result = await this.dropped(table, partition);
      if (result === 'unfinished') mixed.push(partition);
      if (result !== 'dropped') continue;
      this.log.info({ partition: partition.name }, 'dropped a partition that was older than its retention');
      changed = true;
    }
    for (const { name } of mixed) {
      await this.inBatches((limit) => this.repository.deleteOld(table, name, before, limit));
    }
    await this.endKeys(table, before);
    return changed;
  }

  /** `unfinished` also for one that could not be had: its rows end by batches. */
  private async dropped(table: PartitionedTable, { name }: Partition): Promise<DropResult> {
    try {
      return await this.patiently(() => this.repository.drop(table, name));
    } catch (error) {
      this.log.warn(
        { err: error, partition: name },
        'a partition could not be dropped; its rows are deleted',
      );
      return 'unfinished';
    }
  }

  /** The keys of dropped rows; of deleted ones a trigger deletes them. */
  private async endKeys(table: PartitionedTable, before: Date): Promise<void> {
    const { keysTable } = table;
    if (keysTable === undefined) return;
    const partitions = (await this.repository.partitionsOf([table])).get(table) ?? [];
    for (const range of endedRanges(partitions, before)) {
      await this.inBatches((limit) => this.repository.deleteKeys(table, keysTable, range, limit));
    }
  }

  private inBatches(deleteSome: (limit: number) => Promise<number>): Promise<void> {
    return deleteInBatches((limit) => (this.loop.isStopping ? Promise.resolve(0) : deleteSome(limit)));
  }

  /** Gives a busy table a few more chances, farther and farther apart. */
  private async patiently<Result>(change: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await change();
      } catch (error) {
        const isBusy = sqlState(error) === LOCK_NOT_AVAILABLE;
        if (!isBusy || attempt === MAX_ATTEMPTS || this.loop.isStopping) throw error;
        await sleep(Math.random() * 200 * 2 ** attempt);
      }
    }
  }
}
