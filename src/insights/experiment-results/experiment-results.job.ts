import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ExperimentAlertsService } from './experiment-alerts.service.js';
import { ExperimentFiguresService } from './experiment-figures.service.js';

const EVERY_MS = 60_000;

/** Computes experiment results every hour, and sooner if they were requested. */
@Injectable()
export class ExperimentResultsJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(figures: ExperimentFiguresService, alerts: ExperimentAlertsService, log: LogService) {
    this.loop = new WorkLoop(
      async () => {
        await figures.register();
        const computeNext = () => figures.computeNext((tx, experiment) => alerts.update(tx, experiment));
        while (!this.loop.isStopping && (await computeNext()));
      },
      (error) => log.error({ err: error }, 'the results of experiments failed; the next round retries'),
      'experiment_results',
    );
  }

  @Interval('experiment-results', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
