import { Injectable } from '@nestjs/common';
import { grouped, type JsonObject } from '../../../../libs/kernel/index.js';
import { ScimSearch } from '../shared/scim-search.js';
import type { ScimGroup } from './scim-group.entity.js';
import { presentScimGroup } from './scim-group.presenter.js';
import { type GroupMember, ScimGroupMembersRepository } from './scim-group-members.repository.js';
import { type CountedGroup, groupLookups, ScimGroupsRepository } from './scim-groups.repository.js';

/** Reads groups as resources, with their members. */
@Injectable()
export class ScimGroupSearchService extends ScimSearch<ScimGroup, GroupMember> {
  protected readonly noun = 'group';
  protected readonly relatedAttribute = 'members';
  protected readonly lookups = groupLookups;
  /** Number of groups whose members are read at once. */
  protected readonly batchSize = 500;

  constructor(
    private readonly groups: ScimGroupsRepository,
    private readonly members: ScimGroupMembersRepository,
  ) {
    super(groups);
  }

  countMembers(group: ScimGroup): Promise<number> {
    return this.members.count(group);
  }

  /** All groups by name, for the dashboard. */
  counted(orgId: string): Promise<CountedGroup[]> {
    return this.groups.counted(orgId);
  }

  protected async relatedTo(
    orgId: string,
    groups: readonly ScimGroup[],
  ): Promise<Map<string, GroupMember[]>> {
    const ids = groups.map(({ id }) => id);
    return grouped(await this.members.ofGroups(orgId, ids), ({ groupId }) => groupId);
  }

  protected presented(group: ScimGroup, members: readonly GroupMember[], baseUrl: string): JsonObject {
    return presentScimGroup(group, members, baseUrl);
  }
}
