import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { gaugeReading } from '../../platform/observability/gauge-reading.js';
import { ReportProjectsRepository } from './report-projects.repository.js';

@Injectable()
export class ReportRowsMetrics {
  private reading: Promise<{ marks: number; seconds: number }> | null = null;

  constructor(
    registry: Registry,
    private readonly projects: ReportProjectsRepository,
  ) {
    const read = (): Promise<{ marks: number; seconds: number } | null | undefined> => this.read();
    new Gauge({
      name: 'tenure_report_marks_waiting',
      aggregator: 'max',
      help: 'Changes that report rows do not include yet, at most 10,000 of each project; NaN without the database.',
      registers: [registry],
      async collect() {
        this.set((await read())?.marks ?? Number.NaN);
      },
    });
    new Gauge({
      name: 'tenure_report_oldest_mark_seconds',
      aggregator: 'max',
      help: 'Age of the oldest change that report rows do not include yet; NaN without the database.',
      registers: [registry],
      async collect() {
        this.set((await read())?.seconds ?? Number.NaN);
      },
    });
  }

  /** Both gauges of a scrape share one reading. */
  private read(): ReturnType<typeof gaugeReading<{ marks: number; seconds: number }>> {
    this.reading ??= this.projects.waiting().finally(() => (this.reading = null));
    const { reading } = this;
    return gaugeReading(() => reading);
  }
}
