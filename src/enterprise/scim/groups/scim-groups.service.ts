import { Injectable } from '@nestjs/common';
import { isJsonObject, isSameJson, type JsonObject, newId } from '../../../../libs/kernel/index.js';
import { violatedUnique } from '../../../platform/database/database-errors.js';
import { changesBetween } from '../../access/organization-changes.js';
import { missingInOrganization } from '../../access/organization-errors.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../../access/organization-writes.service.js';
import { attributeNamed } from '../protocol/attribute.js';
import { MemberChange, memberIds } from '../protocol/member-change.js';
import type { PatchOperation } from '../protocol/patch-body.js';
import { patched } from '../protocol/patch-engine.js';
import { groupType } from '../protocol/resource-type.js';
import { notUnique } from '../protocol/scim-error.js';
import { assertComplete, resourceOf } from '../protocol/values.js';
import { assertVersion } from '../shared/versions.js';
import type { ScimGroup } from './scim-group.entity.js';
import { ScimGroupMembersService } from './scim-group-members.service.js';
import { ScimGroupsRepository } from './scim-groups.repository.js';

/** Splits a body into the resource and its members. @throws ApiError 400 */
function partsOf(body: unknown): { resource: JsonObject; members: MemberChange } {
  const entries = isJsonObject(body) ? Object.entries(body) : [];
  const isMembers = (name: string): boolean => attributeNamed(groupType.attributes, name)?.name === 'members';
  const [, sent] = entries.find(([name]) => isMembers(name)) ?? [];
  const others = isJsonObject(body) ? Object.fromEntries(entries.filter(([name]) => !isMembers(name))) : body;
  const resource = resourceOf(groupType, others);
  delete resource.members;
  assertComplete(groupType, resource);
  return { resource, members: MemberChange.replacing(memberIds(sent)) };
}

function described(resource: JsonObject): Pick<ScimGroup, 'displayName' | 'externalId' | 'resource'> {
  return {
    displayName: resource.displayName as string,
    externalId: (resource.externalId as string | undefined) ?? null,
    resource,
  };
}

/** Groups of identity providers. Their names and members determine roles. */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly repository: ScimGroupsRepository,
    private readonly members: ScimGroupMembersService,
    private readonly writes: OrganizationWritesService,
  ) {}

  /** @throws ApiError 400, 409 */
  create(write: OrganizationWrite, body: unknown): Promise<ScimGroup> {
    const { resource, members } = partsOf(body);
    return this.alone(write, async (tx) => {
      const createdAt = new Date(tx.nowMs());
      const group: ScimGroup = {
        orgId: write.orgId,
        id: newId('scimGroup', createdAt.getTime()),
        ...described(resource),
        version: 1,
        createdAt,
        updatedAt: createdAt,
      };
      await this.repository.insert(tx, group);
      const changed = await this.members.apply(tx, group, members);
      await this.members.reapply(tx, changed);
      const data = { display_name: group.displayName, joined: changed.joined.length };
      await tx.audit({ action: 'scim_group_created', target: 'scim_group', targetId: group.id, data });
      return group;
    });
  }

  /** @throws ApiError 400, 404, 409, 412 */
  replace(write: OrganizationWrite, id: string, body: unknown, ifMatch?: string): Promise<ScimGroup> {
    const parts = partsOf(body);
    return this.change(write, id, ifMatch, () => parts);
  }

  /** @throws ApiError 400, 404, 409, 412 */
  patch(
    write: OrganizationWrite,
    id: string,
    operations: readonly PatchOperation[],
    ifMatch?: string,
  ): Promise<ScimGroup> {
    return this.change(write, id, ifMatch, (before) => {
      const members = new MemberChange();
      const resource = patched(groupType, before, operations, members.patch);
      assertComplete(groupType, resource);
      return { resource, members };
    });
  }

  /** @throws ApiError 404, 412 */
  delete(write: OrganizationWrite, id: string, ifMatch?: string): Promise<void> {
    return this.alone(write, async (tx) => {
      const group = await this.locked(tx, id, ifMatch);
      const accounts = await this.members.accountsIn(tx, group);
      await this.repository.delete(tx, write.orgId, id);
      await this.members.reapplyAccounts(tx, accounts);
      const data = { display_name: group.displayName };
      await tx.audit({ action: 'scim_group_deleted', target: 'scim_group', targetId: id, data });
    });
  }

  private change(
    write: OrganizationWrite,
    id: string,
    ifMatch: string | undefined,
    next: (resource: JsonObject) => { resource: JsonObject; members: MemberChange },
  ): Promise<ScimGroup> {
    return this.alone(write, async (tx) => {
      const before = await this.locked(tx, id, ifMatch);
      const { resource, members } = next(before.resource);
      const changed = await this.members.apply(tx, before, members);
      const { joined, left } = changed;
      const isSame = isSameJson(resource, before.resource);
      if (isSame && joined.length === 0 && left.length === 0) return before;
      const version = Number(before.version) + 1;
      const after = { ...before, ...described(resource), version, updatedAt: new Date(tx.nowMs()) };
      await this.repository.update(tx, after);
      if (after.displayName === before.displayName) await this.members.reapply(tx, changed);
      else await this.members.reapplyAll(tx, after, changed);
      const changes = changesBetween(before.resource, resource, ['displayName', 'externalId']);
      const data = { display_name: after.displayName, changes, joined: joined.length, left: left.length };
      await tx.audit({ action: 'scim_group_updated', target: 'scim_group', targetId: id, data });
      return after;
    });
  }

  /** @throws ApiError 404, 412 */
  private async locked(tx: OrganizationTransaction, id: string, ifMatch?: string): Promise<ScimGroup> {
    const group = await this.repository.lock(tx, tx.write.orgId, id);
    if (!group) throw missingInOrganization('group', id);
    assertVersion(ifMatch, group.version);
    return group;
  }

  /** Runs requests one at a time per organization. @throws ApiError 409 for a used name */
  private async alone<T>(
    write: OrganizationWrite,
    work: (tx: OrganizationTransaction) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.writes.runAlone(write, work);
    } catch (error) {
      if (violatedUnique(error) === 'scim_groups_name_unique')
        throw notUnique('displayName', 'Another group of the organization has this displayName.');
      throw error;
    }
  }
}
