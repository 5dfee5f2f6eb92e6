import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { missingInOrganization } from '../access/organization-errors.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../access/organization-writes.service.js';
import { CustomRolesService } from './custom-roles.service.js';
import { RoleApplicationService } from './role-application.service.js';
import type { SaveRoleMappingDto } from './role-mapping.dto.js';
import type { RoleMapping } from './role-mapping.entity.js';
import { type ListedMapping, RoleMappingsRepository } from './role-mappings.repository.js';

export interface SavedMapping {
  mapping: ListedMapping;
  isNew: boolean;
  membershipsChanged: number;
}

/** Roles granted by groups of an identity provider. A change is applied to all affected people in its transaction. */
@Injectable()
export class RoleMappingsService {
  constructor(
    private readonly repository: RoleMappingsRepository,
    private readonly roles: CustomRolesService,
    private readonly application: RoleApplicationService,
    private readonly writes: OrganizationWritesService,
  ) {}

  /** Returns up to `limit + 1` mappings, oldest first. @throws ApiError 400 for a cursor of another list */
  async page(orgId: string, page: PageRequest): Promise<ListedMapping[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(orgId, id));
    return this.repository.page(orgId, page, after);
  }

  /** Replaces the group's role in the project. @throws ApiError 400 naming `role`, 404 naming `project_id` */
  save(write: OrganizationWrite, body: SaveRoleMappingDto): Promise<SavedMapping> {
    const { orgId } = write;
    const { group: groupName, project_id: projectId } = body;
    return this.writes.runAlone(write, async (tx) => {
      await this.roles.assertProject(tx, orgId, projectId);
      const role = await this.roles.assignable(tx, orgId, projectId, body.role);
      const present = await this.repository.findByGroup(tx, { orgId, groupName, projectId });
      const nowMs = tx.nowMs();
      const mapping: RoleMapping = {
        orgId,
        id: present?.id ?? newId('roleMapping', nowMs),
        groupName,
        projectId,
        role,
        createdAt: present?.createdAt ?? new Date(nowMs),
      };
      if (present?.groupName === groupName && present.role === role)
        return { mapping: present, isNew: false, membershipsChanged: 0 };
      await (present ? this.repository.update(tx, mapping) : this.repository.insert(tx, mapping));
      const membershipsChanged = await this.application.reapply(tx, orgId, { projects: [projectId] });
      await this.auditMapping(tx, 'role_mapping_saved', mapping, {
        ...(present && { previous_role: present.role }),
        memberships_changed: membershipsChanged,
      });
      return {
        mapping: await this.found(tx, orgId, mapping.id),
        isNew: present === null,
        membershipsChanged,
      };
    });
  }

  /** Removes or lowers the memberships that it granted. Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: OrganizationWrite, id: string): Promise<number> {
    const { orgId } = write;
    return this.writes.runAlone(write, async (tx) => {
      const mapping = await this.found(tx, orgId, id);
      await this.repository.delete(tx, orgId, id);
      const changed = await this.application.reapply(tx, orgId, { projects: [mapping.projectId] });
      await this.auditMapping(tx, 'role_mapping_deleted', mapping, { memberships_changed: changed });
      return tx.nowMs();
    });
  }

  private auditMapping(
    tx: OrganizationTransaction,
    action: 'role_mapping_saved' | 'role_mapping_deleted',
    { id, groupName, projectId, role }: RoleMapping,
    more: Record<string, unknown>,
  ): Promise<void> {
    const data = { group: groupName, project_id: projectId, role, ...more };
    return tx.audit({ action, target: 'role_mapping', targetId: id, data });
  }

  private async found(tx: OrganizationTransaction, orgId: string, id: string): Promise<ListedMapping> {
    const mapping = await this.repository.find(orgId, id, tx);
    if (!mapping) throw missingInOrganization('role mapping', id);
    return mapping;
  }
}
