import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import { type ExperimentStatus, forbiddenEdit, mayDelete } from '../../../libs/targeting/index.js';
import { bumpCatalogVersion } from '../../catalog/shared/catalog-version.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import { changedFields } from '../../platform/audit/changed-fields.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import { readConditions } from '../shared/condition.dto.js';
import { NamedOfferings } from '../shared/named-offerings.service.js';
import type { CreateExperimentDto, UpdateExperimentDto } from './experiment.dto.js';
import type { Experiment } from './experiment.entity.js';
import {
  assertVariantsDiffer,
  offeringsOf,
  placementsOfVariants,
  readDurationSettings,
  readExperimentPlacements,
  readOfferings,
  readWeights,
} from './experiment.policy.js';
import { recordedExperiment, recordedFields } from './experiment-audit.js';
import { ExperimentsRepository } from './experiments.repository.js';

/** API names of columns that have a different name. */
const wireNames: Readonly<Record<string, string>> = {
  offerings: 'offering_a_id',
  conditions: 'targeting_conditions',
  duration_settings: 'experiment_duration_settings',
};

const wireName = (field: string): string => {
  const [column = field] = field.split('.');
  return wireNames[column] ?? column;
};

/** Every change first raises the catalog version, which locks the project: experiments change one at a time. */
@Injectable()
export class ExperimentsService {
  constructor(
    private readonly repository: ExperimentsRepository,
    private readonly offerings: NamedOfferings,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 400 naming the field, 404 for an unknown offering, 422 for an archived one or equal variants */
  async create(write: ProjectWrite, body: CreateExperimentDto): Promise<Experiment> {
    const { projectId } = write;
    const appIds = await this.appIds(projectId);
    return this.writes.run(
      write,
      async (tx) => {
        await bumpCatalogVersion(tx, projectId);
        const nowMs = tx.nowMs();
        const experiment = this.after(this.draft(projectId, nowMs), body, appIds);
        experiment.priority = (await this.repository.lastPriority(tx, projectId)) + 1;
        await this.assertShowable(tx, experiment);
        await this.repository.insert(tx, experiment);
        await tx.audit({ action: 'created', target: 'experiment', targetId: experiment.id });
        return experiment;
      },
      { retryUniqueViolation: true },
    );
  }

  /**
   * Absent fields stay unchanged. @throws ApiError as for `create`, and 409 for changes that the status does not allow
   */
  async update(write: ProjectWrite, id: string, body: UpdateExperimentDto): Promise<Experiment> {
    const { projectId } = write;
    const appIds = await this.appIds(projectId);
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const before = await this.found(projectId, id, tx);
      const experiment = this.after(before, body, appIds);
      const changed = changedFields(before, experiment);
      this.assertEditable(before.status, changed.map(wireName));
      if (before.status === 'draft') await this.assertShowable(tx, experiment);
      const now = new Date(tx.nowMs());
      if (before.status !== 'draft' && changed.some((field) => field.startsWith('weights')))
        experiment.weightsChangedAt = now;
      experiment.updatedAt = now;
      await this.repository.update(tx, experiment);
      await tx.audit({
        action: 'updated',
        target: 'experiment',
        targetId: id,
        data: auditChanges(recordedExperiment(before), recordedExperiment(experiment), recordedFields),
      });
      return experiment;
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404, 409 while the experiment runs or is paused */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    this.assertDeletable(await this.found(projectId, id));
    // No more customers are enrolled, so almost all enrollments can be deleted before the transaction.
    await deleteInBatches((limit) => this.repository.deleteEnrollments(null, projectId, id, limit));
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      this.assertDeletable(await this.found(projectId, id, tx));
      await deleteInBatches((limit) => this.repository.deleteEnrollments(tx, projectId, id, limit));
      await this.repository.delete(tx, projectId, id);
      await tx.audit({ action: 'deleted', target: 'experiment', targetId: id });
      return tx.nowMs();
    });
  }

  /** Moves some experiments to the front; the others keep their order. @throws ApiError 400 for a repeated id, 404 */
  reorder(write: ProjectWrite, ids: readonly string[]): Promise<Experiment[]> {
    const { projectId } = write;
    if (new Set(ids).size < ids.length)
      throw ApiError.parameter('experiment_ids', 'experiment_ids must name each experiment once.');
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const all = await this.repository.all(tx, projectId);
      const unknown = ids.find((id) => !all.some((experiment) => experiment.id === id));
      if (unknown !== undefined) throw ApiError.missing('experiment', unknown, 'experiment_ids');
      const place = new Map(ids.map((id, index) => [id, index]));
      const ordered = [...all].sort(
        (a, b) => (place.get(a.id) ?? Infinity) - (place.get(b.id) ?? Infinity) || a.priority - b.priority,
      );
      for (const [index, experiment] of ordered.entries()) {
        if (experiment.priority === index + 1) continue;
        experiment.priority = index + 1;
        await this.repository.setPriority(tx, projectId, experiment.id, experiment.priority);
      }
      await tx.audit({
        action: 'reordered',
        target: 'experiment',
        targetId: projectId,
        data: { experiment_ids: [...ids], ...auditChanges(idsOf(all), idsOf(ordered), ['experimentIds']) },
      });
      return ordered;
    });
  }

  /** @throws ApiError 404 */
  get(projectId: string, id: string): Promise<Experiment> {
    return this.found(projectId, id);
  }

  /** Up to `limit + 1`, by priority. */
  page(projectId: string, status: ExperimentStatus | null, page: PageRequest): Promise<Experiment[]> {
    return this.repository.page(projectId, status, page);
  }

  private draft(projectId: string, nowMs: number): Experiment {
    const now = new Date(nowMs);
    return {
      projectId,
      id: newId('experiment', nowMs),
      status: 'draft',
      displayName: '',
      experimentType: null,
      offerings: [],
      enrollmentPercentage: 100,
      enrollmentMode: 'only_new',
      weights: null,
      weightsChangedAt: null,
      conditions: [],
      placements: null,
      primaryMetric: 'initial_conversion_rate',
      secondaryMetrics: [],
      durationSettings: null,
      notes: null,
      priority: 1,
      winnerVariant: null,
      createdAt: now,
      updatedAt: now,
      startedAt: null,
      pausedAt: null,
      resumedAt: null,
      stoppedAt: null,
      ranMs: 0,
    };
  }

  private after(before: Experiment, body: UpdateExperimentDto, appIds: ReadonlySet<string>): Experiment {
    const offerings = readOfferings(body, before.offerings);
    const { targeting_conditions: conditions, placements, experiment_duration_settings: settings } = body;
    const weights = body.weights === undefined ? before.weights : body.weights;
    return {
      ...before,
      displayName: body.display_name ?? before.displayName,
      experimentType: body.experiment_type === undefined ? before.experimentType : body.experiment_type,
      offerings,
      enrollmentPercentage: body.enrollment_percentage ?? before.enrollmentPercentage,
      enrollmentMode: body.enrollment_mode ?? before.enrollmentMode,
      weights: readWeights(weights, offerings.length),
      conditions:
        conditions === undefined
          ? before.conditions
          : readConditions(conditions, 'targeting_conditions', appIds, ['rollout']),
      placements:
        placements === undefined
          ? placementsOfVariants(before.placements, offerings.length)
          : readExperimentPlacements(placements, offerings.length),
      primaryMetric: body.primary_metric ?? before.primaryMetric,
      secondaryMetrics: body.secondary_metrics ?? before.secondaryMetrics,
      durationSettings: settings === undefined ? before.durationSettings : readDurationSettings(settings),
      notes: body.notes === undefined ? before.notes : body.notes,
    };
  }

  private assertEditable(status: ExperimentStatus, fields: readonly string[]): void {
    const forbidden = forbiddenEdit(status, fields);
    if (forbidden === null) return;
    throw new ApiError('conflict', `${forbidden} cannot be changed while the experiment is ${status}.`, {
      param: forbidden,
    });
  }

  private assertDeletable({ status }: Experiment): void {
    if (mayDelete(status)) return;
    throw new ApiError('conflict', `The experiment is ${status}; stop it before deleting it.`);
  }

  private async assertShowable(tx: WriteTransaction, experiment: Experiment): Promise<void> {
    await this.offerings.assertActive(tx, experiment.projectId, offeringsOf(experiment));
    assertVariantsDiffer(experiment);
  }

  private async appIds(projectId: string): Promise<ReadonlySet<string>> {
    return new Set((await this.catalogs.getCurrent(projectId)).apps.keys());
  }

  private async found(projectId: string, id: string, tx?: WriteTransaction): Promise<Experiment> {
    const experiment = await this.repository.find(projectId, id, tx);
    if (!experiment) throw ApiError.missing('experiment', id);
    return experiment;
  }
}

function idsOf(experiments: readonly Experiment[]): { experimentIds: string[] } {
  return { experimentIds: experiments.map(({ id }) => id) };
}
