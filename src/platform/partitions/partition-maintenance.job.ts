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
import { LogService } from '../observability/log.service.js';
import { endedRanges, missingMonths, monthOf, nameOf, outdated, type Partition } from './months.js';
import { type PartitionedTable, partitionedTables } from './partitioned-tables.js';
import { type DropResult, PartitionsRepository } from './partitions.repository.js';

const STATISTICS_JOB = jobName('partition_statistics');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Number of months for which partitions are created in advance. */
const MONTHS_AHEAD = 3;
const LOCK_NOT_AVAILABLE = '55P03';
const MAX_ATTEMPTS = 5;

/**
 * Creates and drops partitions. Old rows in the default partition, or in a partition with rows that must stay, are
 * deleted in batches. Runs at startup and every hour in every process; each change is made by one of them.
 */
@Injectable()
export class PartitionMaintenanceJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: PartitionsRepository,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'the partitions could not be maintained; retrying in an hour'),
      'partitions',
    );
  }

  onApplicationBootstrap(): void {
    if (this.config.runsJobs) void this.run();
  }

  @Interval('partition-maintenance', HOUR_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  /**
   * Plans from before a month started assume that its partition is empty and scan all of it; autovacuum corrects that
   * too late.
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
      (error) => this.log.error({ err: error }, 'the statistics of partitions could not be updated'),
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

  /** A failing or busy table must not delay the others. */
  private async attempt(table: PartitionedTable, work: () => Promise<boolean>): Promise<boolean> {
    if (this.loop.isStopping) return false;
    try {
      return await work();
    } catch (error) {
      const message = 'the partitions of a table could not be changed; retrying in an hour';
      this.log.error({ err: error, table: table.name }, message);
      return false;
    }
  }

  private async makeMonths(table: PartitionedTable, partitions: Partition[]): Promise<boolean> {
    let changed = false;
    for (const month of missingMonths(partitions, this.clock.nowMs(), MONTHS_AHEAD)) {
      const place = { table: table.name, month: nameOf(month) };
      if (await this.repository.isInDefault(table, month)) {
        this.log.warn(place, 'rows of a month are in the default partition and stay there');
      } else if (await this.patiently(() => this.repository.create(table, month))) {
        this.log.info(place, 'created the partition of a month');
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

  /** Also returns `unfinished` for a table that stayed busy: its rows are deleted in batches. */
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

  /** Deletes the keys of dropped rows; a trigger deletes those of deleted rows. */
  private async endKeys(table: PartitionedTable, before: Date): Promise<void> {
    const { keys } = table;
    if (keys === undefined) return;
    const partitions = (await this.repository.partitionsOf([table])).get(table) ?? [];
    for (const range of endedRanges(partitions, before)) {
      await this.inBatches((limit) => this.repository.deleteKeys(table, keys, range, limit));
    }
  }

  private inBatches(deleteSome: (limit: number) => Promise<number>): Promise<void> {
    return deleteInBatches((limit) => (this.loop.isStopping ? Promise.resolve(0) : deleteSome(limit)));
  }

  /** Retries a busy table a few times, with growing pauses. */
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
