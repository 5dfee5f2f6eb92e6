import { Injectable } from '@nestjs/common';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import { type Actor, systemChange } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { type EffectiveRole, RoleResolution } from '../../platform/auth/editions/role-resolution.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { MemberRole } from '../../platform/principal/permissions.js';
import { MembershipsRepository } from './memberships.repository.js';
import { type ProjectMembership, ProjectsService } from './projects.service.js';

const NAMED_PROJECTS = 5;

/** A project that a user has access to. */
export type AccessibleProject = ProjectMembership & EffectiveRole;

/** A user's memberships in all projects. */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly repository: MembershipsRepository,
    private readonly projects: ProjectsService,
    private readonly writes: ProjectWritesService,
    private readonly roles: RoleResolution,
  ) {}

  /** Returns the projects that a user has access to, with their permissions, oldest first. */
  async accessible(userId: string): Promise<AccessibleProject[]> {
    return this.withAccess(userId, await this.projects.allOfMember(userId));
  }

  /** Returns the memberships that grant access. */
  async withAccess(userId: string, memberships: ProjectMembership[]): Promise<AccessibleProject[]> {
    const stored = memberships.map(({ id: projectId, role }) => ({ projectId, role }));
    const roles = await this.roles.ofMember(userId, stored);
    return memberships.flatMap((membership) => {
      const role = roles.get(membership.id);
      return role ? [{ ...membership, ...role }] : [];
    });
  }

  /**
   * Removes a user from every project. A project without other members is deleted.
   * @throws ApiError 422 if a project with other members would be left without an admin
   */
  async leaveAll(tx: Transaction, userId: string, actor: Actor): Promise<void> {
    const stranded: string[] = [];
    for (const project of await this.inLockOrder(tx, userId)) {
      const write = this.writes.within(tx, { projectId: project.id, actor, request: null });
      if (!(await this.repository.lockProject(tx, project.id))) continue;
      const others = (await this.repository.lockMembers(tx, project.id)).filter(
        (member) => member.userId !== userId,
      );
      if (others.length === 0) await this.projects.deleteWithin(write);
      else if (others.some(({ role }) => role === 'admin'))
        await write.audit({ action: 'removed', target: 'collaborator', targetId: userId });
      else stranded.push(JSON.stringify(project.name));
    }
    if (stranded.length > 0) throw lastAdmin(stranded);
    await this.repository.deleteOfUser(tx, userId);
  }

  /** @throws ApiError 404 */
  async makeAdmin(tx: Transaction, projectId: string, userId: string): Promise<void> {
    if (!(await this.repository.lockProject(tx, projectId))) throw ApiError.missing('project', projectId);
    const members = await this.repository.lockMembers(tx, projectId);
    const present = members.find((member) => member.userId === userId);
    const write = this.writes.within(tx, { ...systemChange, projectId });
    await this.repository.makeAdmin(tx, projectId, userId, new Date(write.nowMs()));
    const action = present ? 'updated' : 'added';
    const role: MemberRole = 'admin';
    const data = { role, ...(present && auditChanges({ role: present.role }, { role }, ['role'])) };
    await write.audit({ action, target: 'collaborator', targetId: userId, data });
  }

  /** Sorted by id, so that two users who leave at once do not deadlock. */
  private async inLockOrder(tx: Transaction, userId: string): Promise<ProjectMembership[]> {
    const all = await this.projects.allOfMember(userId, tx);
    return all.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

function lastAdmin(projects: string[]): ApiError {
  const names = projects.slice(0, NAMED_PROJECTS).join(', ');
  const more = projects.length > NAMED_PROJECTS ? ` and ${projects.length - NAMED_PROJECTS} more` : '';
  return new ApiError(
    'impossible',
    `You are the only admin of projects that have other members: ${names}${more}. Make another member an admin, or delete the projects.`,
    { reason: 'last_admin' },
  );
}
