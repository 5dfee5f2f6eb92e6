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
        while (await this.pass(figures));
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

  /** Returns false if no experiment is due that no other process computes. */
  private async pass(figures: ExperimentFiguresService): Promise<boolean> {
    let hasComputed = false;
    for (const due of await figures.due()) {
      if (this.loop.isStopping) return false;
      const computed = await figures.computeDue(due, (tx, experiment) => this.updateAlert(tx, experiment));
      hasComputed ||= computed;
    }
    return hasComputed;
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
