import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { RequestsFirst } from '../../../platform/jobs/requests-first.js';
import { WorkLoop } from '../../../platform/jobs/work-loop.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { ChartRollupService } from './chart-rollup.service.js';

const EVERY_MS = 5_000;
/** Requests delay a round at most this long. Answers roll up recent changes themselves. */
const MAX_WAIT_MS = 30_000;

/** Updates the charts in the background, when requests leave time for it. */
@Injectable()
export class ChartsRollupJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;
  private readonly requestsFirst = new RequestsFirst(MAX_WAIT_MS);

  constructor(rollup: ChartRollupService, log: LogService) {
    this.loop = new WorkLoop(
      async () => {
        while (!this.loop.isStopping && (await rollup.pass(() => this.loop.isStopping)));
        this.requestsFirst.worked();
      },
      (error) => log.error({ err: error }, 'the rollup of charts failed; the next one retries'),
      'charts_rollup',
    );
  }

  @Interval('charts-rollup', EVERY_MS)
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
