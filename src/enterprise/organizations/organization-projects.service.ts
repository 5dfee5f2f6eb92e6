import { Injectable } from '@nestjs/common';
import { RoleResolution } from '../../platform/auth/editions/role-resolution.js';
import type { Region } from '../../platform/config/enterprise-settings.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { missingInOrganization } from '../access/organization-errors.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../access/organization-writes.service.js';
import { RoleApplicationService } from '../roles/role-application.service.js';
import { MembersRepository } from './members.repository.js';
import { type ListedProject, OrganizationProjectsRepository } from './organization-projects.repository.js';
import { RegionsService } from './regions.service.js';

export interface ProjectCaller {
  userId: string;
  ssoOrgId: string | null;
}

@Injectable()
export class OrganizationProjectsService {
  constructor(
    private readonly repository: OrganizationProjectsRepository,
    private readonly members: MembersRepository,
    private readonly roleApplication: RoleApplicationService,
    private readonly writes: OrganizationWritesService,
    private readonly roles: RoleResolution,
    private readonly regions: RegionsService,
  ) {}

  /** Returns up to `limit + 1` projects. @throws ApiError 400 if `page.after` is not a project of the organization */
  async page(orgId: string, userId: string, page: PageRequest): Promise<ListedProject[]> {
    const after = await startOf(page.after, ['time'], async (id) => {
      const project = await this.repository.find(orgId, userId, id);
      return project && [project.addedAt, id];
    });
    return this.repository.page(orgId, userId, page, after);
  }

  /** @throws ApiError 404 unless the caller is a member of the project, 403 unless they are its admin, 409 */
  async add(write: OrganizationWrite, caller: ProjectCaller, projectId: string): Promise<ListedProject> {
    const { orgId } = write;
    const found = await this.roles.find(projectId, caller);
    if (!found)
      throw new ApiError('missing', `There is no project ${JSON.stringify(projectId)}.`, {
        param: 'project_id',
      });
    if (found.role !== 'admin')
      throw new ApiError(
        'forbidden',
        `Only an admin of the project may move it; your role is ${found.roleName}.`,
      );
    return this.writes.runAlone(write, async (tx) => {
      if (!(await this.repository.lockProject(tx, projectId)))
        throw ApiError.missing('project', projectId, 'project_id');
      const row = { orgId, projectId, region: this.regions.own, addedAt: new Date(tx.nowMs()) };
      if (!(await this.repository.insert(tx, row)))
        throw ApiError.alreadyExists('project_id', 'The project already belongs to an organization.');
      await this.regions.recordHere(tx, projectId);
      await this.moveIn(tx, projectId);
      return this.foundIn(orgId, caller.userId, projectId, tx);
    });
  }

  /** People keep their roles. Returns the time (epoch ms). @throws ApiError 404 */
  remove(write: OrganizationWrite, userId: string, projectId: string): Promise<number> {
    const { orgId } = write;
    return this.writes.runAlone(write, async (tx) => {
      const { name } = await this.foundIn(orgId, userId, projectId, tx);
      await this.moveOut(tx, orgId, projectId);
      await tx.audit({ action: 'project_removed', target: 'project', targetId: projectId, data: { name } });
      return tx.nowMs();
    });
  }

  /** Runs before the organization is deleted. */
  async moveAllOut(tx: Transaction, orgId: string): Promise<void> {
    for (const projectId of await this.repository.presentIds(tx, orgId)) {
      await this.moveOut(tx, orgId, projectId);
    }
  }

  /** @throws ApiError 404, 422 where regions are enforced */
  setRegion(
    write: OrganizationWrite,
    userId: string,
    projectId: string,
    region: Region,
  ): Promise<ListedProject> {
    const { orgId } = write;
    return this.writes.runAlone(write, async (tx) => {
      const present = await this.foundIn(orgId, userId, projectId, tx);
      if (present.region === region) return present;
      if (this.regions.areEnforced)
        throw new ApiError('impossible', 'A project stays in the region in which its data is stored.');
      await this.repository.setRegion(tx, orgId, projectId, region);
      await tx.audit({
        action: 'project_region_changed',
        target: 'project',
        targetId: projectId,
        data: { changes: { region: [present.region, region] } },
      });
      return this.foundIn(orgId, userId, projectId, tx);
    });
  }

  /** Everyone on the project becomes a member. Owners and admins of the organization become admins of the project. */
  private async moveIn(tx: OrganizationTransaction, projectId: string): Promise<void> {
    const { orgId } = tx.write;
    await this.members.insertOfProject(tx, orgId, projectId, new Date(tx.nowMs()));
    await this.roleApplication.reapply(tx, orgId, { projects: [projectId] });
    await tx.audit({ action: 'project_added', target: 'project', targetId: projectId });
  }

  private async moveOut(tx: Transaction, orgId: string, projectId: string): Promise<void> {
    await this.repository.lockProject(tx, projectId);
    await this.repository.remove(tx, orgId, projectId);
    await this.regions.recordHere(tx, projectId);
  }

  private async foundIn(
    orgId: string,
    userId: string,
    projectId: string,
    tx?: Parameters<OrganizationProjectsRepository['find']>[3],
  ): Promise<ListedProject> {
    const project = await this.repository.find(orgId, userId, projectId, tx);
    if (!project) throw missingInOrganization('project', projectId);
    return project;
  }
}
