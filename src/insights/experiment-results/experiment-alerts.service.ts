import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { Experiment } from '../../targeting/experiments/experiment.entity.js';
import { warningsOf } from '../../targeting/experiments/experiment.policy.js';
import { ProjectAlertsService } from '../../workspace/alerts/project-alerts.service.js';
import { ExperimentFiguresRepository } from './experiment-figures.repository.js';
import { withoutPackages } from './guard-rails.policy.js';
import { checksOf } from './result-checks.policy.js';
import { variantSums } from './variant-sums.policy.js';

const production = { environment: 'production', platforms: null, countries: null } as const;

/** Emails a project's people once a week about experiments whose results have warnings. */
@Injectable()
export class ExperimentAlertsService {
  constructor(
    private readonly repository: ExperimentFiguresRepository,
    private readonly alerts: ProjectAlertsService,
    private readonly catalogs: CatalogService,
  ) {}

  /** Runs in the transaction that stored new figures. */
  async update(tx: Transaction, experiment: Experiment): Promise<void> {
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
