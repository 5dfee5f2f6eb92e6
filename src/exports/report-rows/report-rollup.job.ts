import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { RequestsFirst } from '../../platform/jobs/requests-first.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ReportRollupService } from './report-rollup.service.js';

const EVERY_MS = 5_000;
/** Requests delay a round at most this long. */
const MAX_WAIT_MS = 30_000;

/** Updates report rows in the background, when requests leave time for it. */
@Injectable()
export class ReportRollupJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;
  private readonly requestsFirst = new RequestsFirst(MAX_WAIT_MS);

  constructor(rollup: ReportRollupService, log: LogService) {
    this.loop = new WorkLoop(
      async () => {
        while (!this.loop.isStopping && (await rollup.batch()));
        this.requestsFirst.worked();
      },
      (error) => log.error({ err: error }, 'the rollup of report rows failed; the next one retries'),
      'report_rollup',
    );
  }

  @Interval('report-rollup', EVERY_MS)
  async wake(): Promise<void> {
    if (!this.requestsFirst.hasToWait()) await this.loop.wake();
  }

  /** Processes everything present now. */
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
