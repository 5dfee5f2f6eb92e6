import { Injectable } from '@nestjs/common';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { RoleResolution } from '../../platform/auth/editions/role-resolution.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { SessionPrincipal } from '../../platform/principal/principal.js';
import { isAtLeast, type OrganizationContext } from '../access/organization-context.js';
import { missingInOrganization } from '../access/organization-errors.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../access/organization-writes.service.js';
import { CustomRolesService } from './custom-roles.service.js';
import { type OrganizationProjectMember, ProjectRolesRepository } from './project-roles.repository.js';

/** The caller, who may have access by organization role or by project role. */
export interface RoleAsker {
  organization: OrganizationContext;
  session: SessionPrincipal;
}

interface Assignment {
  projectId: string;
  userId: string;
  role: string;
}

/** The people of an organization's projects, and their manually assigned roles. */
@Injectable()
export class ProjectRolesService {
  constructor(
    private readonly repository: ProjectRolesRepository,
    private readonly roles: CustomRolesService,
    private readonly resolution: RoleResolution,
    private readonly writes: OrganizationWritesService,
    private readonly projectWrites: ProjectWritesService,
  ) {}

  /**
   * Returns up to `limit + 1` people of a project, in the order in which they joined.
   * @throws ApiError 404, 403 for people who are neither on the project nor owners or admins of the organization
   */
  async page(asker: RoleAsker, projectId: string, page: PageRequest): Promise<OrganizationProjectMember[]> {
    const { orgId } = asker.organization;
    const role = await this.roleOf(asker, projectId);
    if (role === null)
      throw notAllowed('Only people of the project and owners and admins of the organization');
    const find = (userId: string) => this.repository.placeOf(orgId, projectId, userId);
    return this.repository.page(orgId, projectId, page, await startOf(page.after, ['time'], find));
  }

  /**
   * Assigns a role to a person of the project. It applies from their next request, and groups no longer change it.
   * @throws ApiError 403, 404, 400 naming `role`, 422 for the last admin and for admins by their organization role
   */
  async assign(
    asker: RoleAsker,
    write: OrganizationWrite,
    assignment: Assignment,
  ): Promise<OrganizationProjectMember> {
    const { projectId, userId } = assignment;
    if ((await this.roleOf(asker, projectId)) !== 'admin')
      throw notAllowed('Only admins of the project and owners and admins of the organization');
    return this.writes.runAlone(write, async (tx) => {
      const present = await this.found(tx, projectId, userId);
      const role = await this.roles.assignable(tx, write.orgId, projectId, assignment.role);
      if (present.source === 'org') throw fixed('The person is an admin by their role in the organization.');
      const admins = await this.repository.lockAdmins(tx, projectId);
      if (role !== 'admin' && admins.length === 1 && admins[0] === userId)
        throw fixed('A project needs an admin, and this person is the only one.');
      if (present.source === 'manual' && present.role === role) return present;
      await this.repository.assign(tx, projectId, userId, role);
      await this.auditRoleChange(tx, present, role);
      return this.found(tx, projectId, userId);
    });
  }

  /**
   * Returns `admin` for owners and admins of the organization, and null for people without access.
   * @throws ApiError 404
   */
  private async roleOf({ organization, session }: RoleAsker, projectId: string): Promise<string | null> {
    const { orgId, role } = organization;
    if (!(await this.repository.isInOrganization(orgId, projectId)))
      throw missingInOrganization('project', projectId);
    if (isAtLeast(role, 'admin')) return 'admin';
    return (await this.resolution.find(projectId, session))?.role ?? null;
  }

  /** Records the change in both logs: the organization's, and that of the project, which had no request of its own. */
  private async auditRoleChange(
    tx: OrganizationTransaction,
    { projectId, userId, email, role: before }: OrganizationProjectMember,
    role: string,
  ): Promise<void> {
    const organizationData = { user_id: userId, email, changes: { role: [before, role] } };
    await tx.audit({
      action: 'project_role_changed',
      target: 'project',
      targetId: projectId,
      data: organizationData,
    });
    const actor = { type: 'user' as const, identifier: tx.write.actor.email ?? '' };
    const inProject = this.projectWrites.within(tx, { projectId, actor, request: null });
    const data = { role, ...auditChanges({ role: before }, { role }, ['role']) };
    await inProject.audit({ action: 'updated', target: 'collaborator', targetId: userId, data });
  }

  private async found(
    tx: OrganizationTransaction,
    projectId: string,
    userId: string,
  ): Promise<OrganizationProjectMember> {
    const member = await this.repository.find(tx.write.orgId, projectId, userId, tx);
    if (!member) throw missingInOrganization('member of the project', userId);
    return member;
  }
}

function notAllowed(who: string): ApiError {
  return new ApiError('forbidden', `${who} may do this.`);
}

function fixed(message: string): ApiError {
  return new ApiError('impossible', message);
}
