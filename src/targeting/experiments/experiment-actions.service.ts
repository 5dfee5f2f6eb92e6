import { Injectable } from '@nestjs/common';
import {
  type ExperimentAction,
  type ExperimentStatus,
  statusAfter,
  type VariantId,
  variantIds,
} from '../../../libs/targeting/index.js';
import { bumpCatalogVersion } from '../../catalog/shared/catalog-version.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { NamedOfferings } from '../shared/named-offerings.service.js';
import { MAX_RUNNING, type WinnerRollout } from './experiment.dto.js';
import type { Experiment } from './experiment.entity.js';
import { offeringsOf, ranMs } from './experiment.policy.js';
import { ExperimentsRepository } from './experiments.repository.js';
import { WinnerRollouts } from './winner-rollouts.service.js';

const recorded: Record<ExperimentAction, AuditAction<'experiment'>> = {
  start: 'started',
  pause: 'paused',
  resume: 'resumed',
  stop: 'stopped',
};

const doing: Record<ExperimentAction, string> = {
  start: 'started',
  pause: 'paused',
  resume: 'resumed',
  stop: 'stopped',
};

/**
 * Actions on an experiment. Each checks its current state under a lock, so two concurrent requests never both succeed.
 */
@Injectable()
export class ExperimentActionsService {
  constructor(
    private readonly repository: ExperimentsRepository,
    private readonly namedOfferings: NamedOfferings,
    private readonly rollouts: WinnerRollouts,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 404; 409 naming the status; 422 for archived offerings or more than 20 running */
  run(write: ProjectWrite, id: string, action: ExperimentAction): Promise<Experiment> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const experiment = await this.found(tx, projectId, id);
      const status = statusAfter(experiment.status, action);
      if (status === null)
        throw new ApiError(
          'conflict',
          `The experiment is ${experiment.status}, so it cannot be ${doing[action]}.`,
        );
      if (status === 'running') await this.assertMayRun(tx, experiment, action);
      this.move(experiment, status, tx.nowMs());
      await this.repository.update(tx, experiment);
      await tx.audit({ action: recorded[action], target: 'experiment', targetId: id });
      return experiment;
    });
  }

  /**
   * Records the winner, stops the experiment and shows the offering as `rollout` specifies.
   * @throws ApiError 404; 400 for a variant that the experiment lacks; 409 for a draft; 422 for an archived offering
   */
  async markWinner(
    write: ProjectWrite,
    id: string,
    variant: VariantId,
    rollout: WinnerRollout,
  ): Promise<Experiment> {
    const { projectId } = write;
    const appIds = await this.rollouts.appIds(projectId);
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const experiment = await this.found(tx, projectId, id);
      if (variantIds.indexOf(variant) >= experiment.offerings.length)
        throw ApiError.parameter('variant', `The experiment has no variant ${variant}.`);
      if (experiment.status === 'draft')
        throw new ApiError('conflict', 'The experiment is a draft, so it has no winner.');
      const stops = experiment.status !== 'stopped';
      if (stops) this.move(experiment, 'stopped', tx.nowMs());
      experiment.winnerVariant = variant;
      await this.repository.update(tx, experiment);
      const shown = await this.rollouts.apply(tx, experiment, variant, rollout, appIds);
      await tx.audit({
        action: 'winner_marked',
        target: 'experiment',
        targetId: id,
        data: { variant, rollout, stops, ...shown },
      });
      return experiment;
    });
  }

  private async assertMayRun(
    tx: WriteTransaction,
    experiment: Experiment,
    action: ExperimentAction,
  ): Promise<void> {
    const { projectId } = experiment;
    if (action === 'start') await this.namedOfferings.assertActive(tx, projectId, offeringsOf(experiment));
    if ((await this.repository.countIn(tx, projectId, 'running')) >= MAX_RUNNING)
      throw new ApiError('impossible', `At most ${MAX_RUNNING} experiments of a project run at once.`);
  }

  private move(experiment: Experiment, status: ExperimentStatus, nowMs: number): void {
    const now = new Date(nowMs);
    experiment.ranMs = ranMs(experiment, nowMs);
    if (status === 'running' && experiment.startedAt !== null) experiment.resumedAt = now;
    if (status === 'running' && experiment.startedAt === null) {
      experiment.startedAt = now;
      experiment.weightsChangedAt = now;
    }
    if (status === 'paused') experiment.pausedAt = now;
    if (status === 'stopped') experiment.stoppedAt = now;
    experiment.status = status;
    experiment.updatedAt = now;
  }

  private async found(tx: WriteTransaction, projectId: string, id: string): Promise<Experiment> {
    const experiment = await this.repository.find(projectId, id, tx);
    if (!experiment) throw ApiError.missing('experiment', id);
    return experiment;
  }
}
