import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { type AuditChanges, auditChanges, type PlainField } from '../../platform/audit/audit-changes.js';
import { type Actor, type ProjectWrite, systemChange } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { keysChanged } from '../../platform/auth/keys/key-cache.service.js';
import { CatalogChanges } from '../../catalog/shared/catalog-changes.service.js';
import { bumpCatalogVersion } from '../../catalog/shared/catalog-version.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import { pageOfAll, type PageRequest } from '../../platform/http/lists/lists.js';
import { readChartAttributes } from './chart-attributes.policy.js';
import type { Project, SdkEventsSetting, TransferBehavior, WeekStart } from './project.entity.js';
import { ProjectDeletions } from './project-deletions.service.js';
import { ProjectPurgeJob } from './purge/project-purge.job.js';
import { type ProjectMembership, ProjectsRepository } from './projects.repository.js';

export type { ProjectMembership };

export interface NewProject {
  name: string;
  /** The first admin; null for a project that the first account will adopt. */
  ownerUserId: string | null;
  by: Omit<ProjectWrite, 'projectId'>;
}

/** Absent fields stay unchanged. */
export interface ProjectChanges {
  name?: string;
  transferBehavior?: TransferBehavior;
  sandboxTransferBehavior?: TransferBehavior | null;
  weekStartsOn?: WeekStart;
  chartAttributes?: string[];
  experimentHoldoutPercentage?: number;
  outsidePurchaseTaxRates?: Record<string, number>;
  sdkEvents?: SdkEventsSetting;
}

/** Fields whose values are audited. */
const recordedFields: PlainField<Project>[] = [
  'name',
  'transferBehavior',
  'sandboxTransferBehavior',
  'weekStartsOn',
  'chartAttributes',
  'experimentHoldoutPercentage',
  'outsidePurchaseTaxRates',
  'sdkEvents',
];

const settingsOfCatalog = [
  'transferBehavior',
  'sandboxTransferBehavior',
  'experimentHoldoutPercentage',
  'sdkEvents',
];

@Injectable()
export class ProjectsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly writes: ProjectWritesService,
    private readonly repository: ProjectsRepository,
    private readonly purge: ProjectPurgeJob,
    private readonly deletions: ProjectDeletions,
    private readonly catalogChanges: CatalogChanges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(tx: Transaction, { name, ownerUserId, by }: NewProject): Promise<Project> {
    const nowMs = this.clock.nowMs();
    const project: Project = {
      id: newId('project', nowMs),
      name,
      transferBehavior: 'transfer',
      sandboxTransferBehavior: null,
      weekStartsOn: 'monday',
      chartAttributes: [],
      experimentHoldoutPercentage: 0,
      outsidePurchaseTaxRates: {},
      sdkEvents: 'essential',
      createdAt: new Date(nowMs),
    };
    await this.repository.insert(tx, project);
    const write = this.writes.within(tx, { ...by, projectId: project.id });
    await write.audit({ action: 'created', target: 'project', targetId: project.id });
    if (ownerUserId !== null) await this.addAdmin(tx, project.id, ownerUserId);
    return project;
  }

  /** Makes a user the admin of every project without members: the demo project is created before any account. */
  async adoptOrphans(tx: Transaction, userId: string): Promise<void> {
    for (const projectId of await this.repository.orphans(tx)) await this.addAdmin(tx, projectId, userId);
  }

  createOwned(project: NewProject): Promise<Project> {
    return this.database.transaction((tx) => this.create(tx, project), { retryUniqueViolation: true });
  }

  /** @throws ApiError 404 */
  get(projectId: string): Promise<Project> {
    return this.found(projectId);
  }

  async exists(projectId: string): Promise<boolean> {
    return (await this.repository.find(projectId)) !== null;
  }

  /** Basis points by country. @throws ApiError 404 */
  async taxRates(projectId: string, tx: Transaction): Promise<Record<string, number>> {
    return (await this.found(projectId, tx)).outsidePurchaseTaxRates;
  }

  /** Up to `limit + 1` projects. @throws ApiError 400 if `page.after` is not one of the user's projects */
  async pageOfMember(userId: string, page: PageRequest): Promise<ProjectMembership[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(id, userId));
    return this.repository.pageOfMember(userId, page, after);
  }

  /** The one-item list for a project's key. @throws ApiError 400 if `page.after` is another project */
  async pageOfKey(projectId: string, page: PageRequest): Promise<Project[]> {
    return pageOfAll([await this.get(projectId)], page, ({ id }) => id);
  }

  allOfMember(userId: string, tx?: Transaction): Promise<ProjectMembership[]> {
    return this.repository.allOfMember(userId, tx);
  }

  /** Adds a row about a user to the audit log of each of their projects. */
  async auditMember(
    tx: Transaction,
    userId: string,
    action: AuditAction<'collaborator'>,
    actor: Actor = systemChange.actor,
    data?: AuditChanges,
  ): Promise<void> {
    for (const { id: projectId } of await this.repository.allOfMember(userId, tx)) {
      const write = this.writes.within(tx, { actor, request: null, projectId });
      await write.audit({ action, target: 'collaborator', targetId: userId, data });
    }
  }

  /** @throws ApiError 404, 400 */
  async update(write: ProjectWrite, changes: ProjectChanges): Promise<Project> {
    const { projectId } = write;
    if (changes.chartAttributes) {
      changes = { ...changes, chartAttributes: readChartAttributes(changes.chartAttributes) };
    }
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    return this.writes.run(write, async (tx) => {
      // Replicas cache these settings with the catalog.
      if (settingsOfCatalog.some((name) => name in given)) await bumpCatalogVersion(tx, projectId);
      const present = existing(await this.repository.lock(tx, projectId), projectId);
      const project = { ...present, ...given };
      if (Object.keys(given).length > 0) await this.repository.update(tx, projectId, given);
      const data = auditChanges(present, project, recordedFields);
      if (data.changed_fields.includes('chart_attributes'))
        await this.catalogChanges.publish(tx, projectId, { kind: 'chart_attributes' });
      const action = data.changed_fields.join() === 'name' ? 'name_updated' : 'settings_updated';
      await tx.audit({ action, target: 'project', targetId: projectId, data });
      return project;
    });
  }

  /**
   * The project disappears from every replica immediately, its keys stop working and its webhooks are not sent; its
   * rows are purged afterwards. Returns the time (epoch ms).
   * @throws ApiError 404
   */
  delete(write: ProjectWrite): Promise<number> {
    return this.writes.run(write, (tx) => this.deleteWithin(tx));
  }

  /** For a deletion inside a larger transaction. @throws ApiError 404 */
  async deleteWithin(tx: WriteTransaction): Promise<number> {
    const { projectId } = tx.write;
    // This locks the project's row, so the second of two deletions finds nothing.
    await bumpCatalogVersion(tx, projectId);
    const nowMs = tx.nowMs();
    await this.repository.markDeleted(tx, projectId, new Date(nowMs));
    await keysChanged(tx, projectId);
    await this.deletions.run(tx, projectId);
    await tx.audit({ action: 'deleted', target: 'project', targetId: projectId });
    tx.afterCommit(() => this.purge.wake());
    return nowMs;
  }

  private async found(projectId: string, tx?: Transaction): Promise<Project> {
    return existing(await this.repository.find(projectId, tx), projectId);
  }

  private async addAdmin(tx: Transaction, projectId: string, userId: string): Promise<void> {
    const acceptedAt = new Date(this.clock.nowMs());
    await this.repository.addMember(tx, { projectId, userId, role: 'admin', acceptedAt });
  }
}

function existing(project: Project | null, id: string): Project {
  if (!project) throw ApiError.missing('project', id);
  return project;
}
