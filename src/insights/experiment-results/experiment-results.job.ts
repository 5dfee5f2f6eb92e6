import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { Experiment } from '../../targeting/experiments/experiment.entity.js';
import { warningsOf } from '../../targeting/experiments/experiment.policy.js';
import { ProjectAlertsService } from '../../workspace/alerts/project-alerts.service.js';
import { ExperimentFiguresRepository } from './experiment-figures.repository.js';
import { ExperimentFiguresService } from './experiment-figures.service.js';
import { withoutPackages } from './guard-rails.policy.js';
import { checksOf } from './result-checks.policy.js';
import { variantSums } from './variant-sums.policy.js';

const EVERY_MS = 60_000;
const production = { environment: 'production', platforms: null, countries: null } as const;

/**
 * Computes experiment results every hour, and sooner if they were requested. Emails a project's people once a week about
 * experiments whose results have warnings.
 */
@Injectable()
export class ExperimentResultsJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    figures: ExperimentFiguresService,
    private readonly repository: ExperimentFiguresRepository,
    private readonly alerts: ProjectAlertsService,
    private readonly catalogs: CatalogService,
    log: LogService,
  ) {
    this.loop = new WorkLoop(
      async () => {
        await figures.register();
        const computeNext = () => figures.computeNext((tx, experiment) => this.updateAlert(tx, experiment));
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

  /** Runs in the transaction that stored new figures. */
  private async updateAlert(tx: Transaction, experiment: Experiment): Promise<void> {
    const { projectId, id, displayName, status, offerings } = experiment;
    const key = { projectId, cause: 'experiment_warning', subjectId: id } as const;
    if (status === 'stopped') return this.alerts.withdraw(tx, key);
    const rows = await this.repository.sums(tx, experiment, production);
    const catalog = await this.catalogs.getCurrent(projectId);
    const warnings = [
      ...checksOf(experiment, variantSums(offerings, rows), 0).warnings,
      ...withoutPackages(warningsOf(experiment, catalog)),
    ];
    if (warnings.length === 0) return this.alerts.withdraw(tx, key);
    const message = warnings.map((warning) => warning.message).join(' ');
    return this.alerts.openOrRepeat(tx, key, { name: displayName, message });
  }
}
