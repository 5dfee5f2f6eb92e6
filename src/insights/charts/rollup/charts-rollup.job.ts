import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { WorkLoop } from '../../../platform/jobs/work-loop.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { ChartRollupService } from './chart-rollup.service.js';

const EVERY_MS = 5_000;

/** Updates the charts in the background. */
@Injectable()
export class ChartsRollupJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(rollup: ChartRollupService, log: LogService) {
    this.loop = new WorkLoop(
      async () => {
        await rollup.registerProjects();
        while (!this.loop.isStopping && (await rollup.batch()));
      },
      (error) => log.error({ err: error }, 'the rollup of charts failed; the next one retries'),
      'charts_rollup',
    );
  }

  @Interval('charts-rollup', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
