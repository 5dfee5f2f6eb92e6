import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { Executor, Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { orAlreadyExists } from '../../platform/http/errors/unique.js';
import {
  type CustomRoleId,
  isBuiltIn,
  type MemberRole,
  type Permission,
  projectRoles,
} from '../../platform/principal/permissions.js';
import { changesBetween } from '../access/organization-changes.js';
import { missingInOrganization } from '../access/organization-errors.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import { OrganizationWritesService } from '../access/organization-writes.service.js';
import type { CreateCustomRoleDto, UpdateCustomRoleDto } from './custom-role.dto.js';
import type { CustomRole } from './custom-role.entity.js';
import { CustomRolesRepository, type ListedRole } from './custom-roles.repository.js';
import { RoleApplicationService } from './role-application.service.js';
import { normalizedScopes, unassignableScope } from './role-scopes.policy.js';

/** @throws ApiError 400 naming `scopes` */
function scopesOf(names: readonly string[]): Permission[] {
  const unknown = unassignableScope(names);
  if (unknown === null) return normalizedScopes(names);
  throw ApiError.parameter('scopes', `A custom role cannot have the scope ${JSON.stringify(unknown)}.`);
}

const recordedFields = ['name', 'description', 'scopes', 'project_id'];

/** Fields in the audit log. */
function audited({ name, description, scopes, projectId }: CustomRole): Record<string, unknown> {
  return { name, description, scopes, project_id: projectId };
}

/** The custom roles of organizations. Each change waits for other changes to the organization's people and roles. */
@Injectable()
export class CustomRolesService {
  constructor(
    private readonly repository: CustomRolesRepository,
    private readonly application: RoleApplicationService,
    private readonly writes: OrganizationWritesService,
  ) {}

  /** Returns up to `limit + 1` roles, oldest first. @throws ApiError 400 for a cursor of another list */
  async page(orgId: string, page: PageRequest): Promise<ListedRole[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(orgId, id));
    return this.repository.page(orgId, page, after);
  }

  /** @throws ApiError 404 */
  async get(orgId: string, id: string, executor?: Executor): Promise<ListedRole> {
    const role = await this.repository.find(orgId, id, executor);
    if (!role) throw missingInOrganization('custom role', id);
    return role;
  }

  /** @throws ApiError 400 naming the field, 404 for another organization's project, 409 for a name in use */
  create(write: OrganizationWrite, body: CreateCustomRoleDto): Promise<ListedRole> {
    const scopes = scopesOf(body.scopes);
    return this.writes.runAlone(write, async (tx) => {
      const projectId = body.project_id ?? null;
      await this.assertProject(tx, write.orgId, projectId);
      const nowMs = tx.nowMs();
      const role: CustomRole = {
        orgId: write.orgId,
        id: newId('customRole', nowMs) as CustomRoleId,
        name: body.name,
        description: body.description ?? null,
        scopes,
        projectId,
        createdAt: new Date(nowMs),
        updatedAt: new Date(nowMs),
      };
      await this.saved(this.repository.insert(tx, role), role.name);
      await tx.audit({ action: 'role_created', target: 'role', targetId: role.id, data: audited(role) });
      return { ...role, memberCount: 0 };
    });
  }

  /** Applies to the holders' next request. @throws ApiError 400 naming the field, 404, 409 */
  update(write: OrganizationWrite, id: string, body: UpdateCustomRoleDto): Promise<ListedRole> {
    const { orgId } = write;
    const scopes = body.scopes && scopesOf(body.scopes);
    return this.writes.runAlone(write, async (tx) => {
      const present = await this.get(orgId, id, tx);
      const role: ListedRole = {
        ...present,
        name: body.name ?? present.name,
        description: body.description === undefined ? present.description : body.description,
        scopes: scopes ?? present.scopes,
        projectId: body.project_id === undefined ? present.projectId : body.project_id,
      };
      const changes = changesBetween(audited(present), audited(role), recordedFields);
      if (Object.keys(changes).length === 0) return present;
      const projects = await this.repository.projectsUsing(tx, orgId, id);
      if (role.projectId !== present.projectId) {
        if (projects.length > 0) throw inUse();
        await this.assertProject(tx, orgId, role.projectId);
      }
      role.updatedAt = new Date(tx.nowMs());
      await this.saved(this.repository.update(tx, role), role.name);
      await tx.audit({ action: 'role_updated', target: 'role', targetId: id, data: { changes } });
      // The rank among mapped roles depends on scopes and name.
      if (projects.length > 0) await this.application.reapply(tx, orgId, { projects });
      return this.get(orgId, id, tx);
    });
  }

  /**
   * Holders become viewers unless their groups grant another role. Returns the time (epoch ms).
   * @throws ApiError 404
   */
  delete(write: OrganizationWrite, id: string): Promise<number> {
    const { orgId } = write;
    return this.writes.runAlone(write, async (tx) => {
      const role = await this.get(orgId, id, tx);
      const projects = await this.repository.projectsUsing(tx, orgId, id);
      await this.repository.takeAway(tx, orgId, id);
      await this.repository.delete(tx, orgId, role.id);
      const data = { name: role.name, members: role.memberCount };
      await tx.audit({ action: 'role_deleted', target: 'role', targetId: id, data });
      if (projects.length > 0) await this.application.reapply(tx, orgId, { projects });
      return tx.nowMs();
    });
  }

  /** Returns a built-in role, or a custom role that is valid in the project. @throws ApiError 400 naming `role` */
  async assignable(tx: Transaction, orgId: string, projectId: string, role: string): Promise<MemberRole> {
    if (isBuiltIn(role as MemberRole)) return role as MemberRole;
    const custom = await this.repository.find(orgId, role, tx);
    if (custom && (custom.projectId === null || custom.projectId === projectId)) return custom.id;
    const allowed = `${projectRoles.join(', ')}, or the id of a custom role for this project`;
    throw ApiError.parameter('role', `role must be one of ${allowed}.`);
  }

  /** @throws ApiError 404 naming `project_id` */
  async assertProject(tx: Transaction, orgId: string, projectId: string | null): Promise<void> {
    if (projectId === null || (await this.repository.isInOrganization(tx, orgId, projectId))) return;
    throw missingInOrganization('project', projectId, 'project_id');
  }

  private saved<T>(work: Promise<T>, name: string): Promise<T> {
    const message = `The organization already has a role named ${JSON.stringify(name)}.`;
    return orAlreadyExists(work, 'custom_roles_name_unique', 'name', message);
  }
}

function inUse(): ApiError {
  const message =
    'The role is in use: remove it from its members and group mappings before changing its project.';
  return ApiError.parameter('project_id', message);
}
