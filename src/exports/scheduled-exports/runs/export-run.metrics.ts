import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { DatabaseClockService } from '../../../platform/jobs/database-clock.service.js';
import { gaugeReading } from '../../../platform/observability/gauge-reading.js';
import { type DatasetName, datasetNames } from '../../datasets/dataset.model.js';
import { type DestinationKind, destinationKinds } from '../../destinations/destination-settings.js';
import { type ExportsOverview, ExportsRepository } from '../exports.repository.js';

export const runResults = ['succeeded', 'failed', 'canceled'] as const;
export type RunResult = (typeof runResults)[number];

const BUCKETS_S = [1, 5, 15, 60, 300, 900, 3600, 14_400];

/** Counters of runs, and gauges of the exports that fail or wait. */
@Injectable()
export class ExportRunMetrics {
  private readonly runs: Counter;
  private readonly rows: Counter;
  private readonly bytes: Counter;
  private readonly seconds: Histogram;
  private readonly skipped: Counter;
  private readonly lateRows: Counter;
  private reading: Promise<ExportsOverview> | null = null;

  constructor(
    registry: Registry,
    private readonly exports: ExportsRepository,
    private readonly clock: DatabaseClockService,
  ) {
    const registers = [registry];
    this.runs = new Counter({
      name: 'tenure_export_runs_total',
      help: 'Runs of exports that ended, by result.',
      labelNames: ['result'],
      registers,
    });
    this.rows = new Counter({
      name: 'tenure_export_rows_total',
      help: 'Rows that runs of exports delivered, by data set.',
      labelNames: ['dataset'],
      registers,
    });
    this.bytes = new Counter({
      name: 'tenure_export_bytes_total',
      help: 'Bytes of the files that runs of exports delivered, by kind of destination.',
      labelNames: ['kind'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'tenure_export_run_seconds',
      help: 'From the start of a run to its success.',
      buckets: BUCKETS_S,
      registers,
    });
    this.skipped = new Counter({
      name: 'tenure_export_skipped_total',
      help: 'Due times of exports that passed because the last run was still in progress.',
      registers,
    });
    this.lateRows = new Counter({
      name: 'tenure_export_late_rows_total',
      help: 'Rows that arrived after their window of time had been delivered.',
      registers,
    });
    for (const result of runResults) this.runs.inc({ result }, 0);
    for (const dataset of datasetNames) this.rows.inc({ dataset }, 0);
    for (const kind of destinationKinds) this.bytes.inc({ kind }, 0);
    this.addGauges(registry);
  }

  countRun(result: RunResult): void {
    this.runs.inc({ result });
  }

  countSuccess(seconds: number): void {
    this.runs.inc({ result: 'succeeded' });
    this.seconds.observe(Math.max(0, seconds));
  }

  countFile(kind: DestinationKind, dataset: DatasetName, rows: number, bytes: number): void {
    this.rows.inc({ dataset }, rows);
    this.bytes.inc({ kind }, bytes);
  }

  countSkipped(): void {
    this.skipped.inc();
  }

  countLateRows(rows: number): void {
    this.lateRows.inc(rows);
  }

  private addGauges(registry: Registry): void {
    const read = (): Promise<ExportsOverview | null> => this.overview();
    const now = (): number => this.clock.nowMs();
    new Gauge({
      name: 'tenure_export_failing',
      aggregator: 'max',
      help: 'Active exports whose last two runs failed.',
      registers: [registry],
      async collect() {
        this.set((await read())?.failing ?? Number.NaN);
      },
    });
    new Gauge({
      name: 'tenure_export_overdue_seconds',
      aggregator: 'max',
      help: 'How long the export or run that has waited longest has been due.',
      registers: [registry],
      async collect() {
        const found = await read();
        const dueMs = found?.oldestDueAt?.getTime() ?? Infinity;
        this.set(found ? Math.max(0, now() - dueMs) / 1000 : Number.NaN);
      },
    });
  }

  /** Both gauges share one reading. */
  private overview(): Promise<ExportsOverview | null> {
    return gaugeReading(
      () => (this.reading ??= this.exports.overview().finally(() => (this.reading = null))),
    );
  }
}
