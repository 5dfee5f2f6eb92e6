import { Injectable } from '@nestjs/common';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { RoleResolution } from '../../platform/auth/editions/role-resolution.js';
import type { Permission, ProjectRole } from '../../platform/principal/permissions.js';
import { CollaboratorsRepository, type Member } from './collaborators.repository.js';

@Injectable()
export class CollaboratorsService {
  constructor(
    private readonly repository: CollaboratorsRepository,
    private readonly writes: ProjectWritesService,
    private readonly roles: RoleResolution,
  ) {}

  /** Up to `limit + 1` members, oldest first. @throws ApiError 400 if `page.after` is not a member of the project */
  async page(projectId: string, page: PageRequest): Promise<Member[]> {
    const after = await startOf(page.after, ['time'], (userId) => this.repository.placeOf(projectId, userId));
    return this.repository.page(projectId, page, after);
  }

  /** The members among some users. */
  members(projectId: string, userIds: string[]): Promise<Member[]> {
    return this.repository.findAll(projectId, userIds);
  }

  /** The members among some users who have all of these permissions now. */
  async membersWith(projectId: string, userIds: string[], permissions: Permission[]): Promise<Member[]> {
    const members = await this.members(projectId, userIds);
    const roles = await Promise.all(
      members.map(({ userId, role }) => this.roles.ofMember(userId, [{ projectId, role }])),
    );
    return members.filter((_, index) => {
      const role = roles[index]?.get(projectId);
      return role !== undefined && permissions.every((permission) => role.permissions.has(permission));
    });
  }

  /** The new role applies from the user's next request. @throws ApiError 404, 400 for the last admin, 422 */
  async changeRole(write: ProjectWrite, userId: string, role: ProjectRole): Promise<Member> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const { isLastAdmin, person } = await this.locked(tx, projectId, userId, 'given another role');
      if (isLastAdmin && role !== 'admin') {
        throw ApiError.parameter('role', 'A project needs an admin, and this person is the only one.');
      }
      await this.repository.setRole(tx, projectId, userId, role);
      const data = { role, ...auditChanges({ role: person.role }, { role }, ['role']) };
      await tx.audit({ action: 'updated', target: 'collaborator', targetId: userId, data });
      return this.found(projectId, userId, tx);
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404, 422 for the last admin */
  async remove(write: ProjectWrite, userId: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      if ((await this.locked(tx, projectId, userId, 'removed')).isLastAdmin) {
        const message =
          'The only admin of a project can neither leave nor be removed. Make another one first.';
        throw new ApiError('impossible', message);
      }
      await this.repository.remove(tx, projectId, userId);
      await tx.audit({ action: 'removed', target: 'collaborator', targetId: userId });
      return tx.nowMs();
    });
  }

  /**
   * Two admins who demote each other wait here for one another.
   * @throws ApiError 404; 422 for a user who is admin through their role in the organization
   */
  private async locked(
    tx: Transaction,
    projectId: string,
    userId: string,
    whatHappens: string,
  ): Promise<{ person: Pick<Member, 'role'>; isLastAdmin: boolean }> {
    const locked = await this.repository.lock(tx, projectId, userId);
    const person = locked.find((member) => member.userId === userId);
    if (!person) throw ApiError.missing('collaborator', userId);
    if (person.source === 'org') {
      const message = `The person is an admin by their role in the organization and cannot be ${whatHappens} here.`;
      throw new ApiError('impossible', message);
    }
    const admins = locked.filter(({ role }) => role === 'admin');
    return { person, isLastAdmin: admins.length === 1 && admins[0]?.userId === userId };
  }

  private async found(projectId: string, userId: string, tx: Transaction): Promise<Member> {
    const member = await this.repository.find(projectId, userId, tx);
    if (!member) throw ApiError.missing('collaborator', userId);
    return member;
  }
}
