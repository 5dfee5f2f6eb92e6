import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../../libs/kernel/index.js';
import { missingInOrganization } from '../../access/organization-errors.js';
import type { Filter } from '../protocol/filter.js';
import { matches } from '../protocol/filter-evaluation.js';
import { asksFor, lookupOf } from '../protocol/filter-lookup.js';
import { holds, projected, type Projection } from '../protocol/projection.js';
import { grouped } from '../shared/grouped.js';
import type { ListQuery } from '../shared/list-query.js';
import type { ScimGroup } from './scim-group.entity.js';
import { presentScimGroup } from './scim-group.presenter.js';
import { type GroupMember, ScimGroupMembersRepository } from './scim-group-members.repository.js';
import { type CountedGroup, groupLookups, ScimGroupsRepository } from './scim-groups.repository.js';

/** Members of these are read at a time, if a filter asks for them. */
const BATCH = 500;

/** Reads groups as resources. Members are read only if the answer or the filter needs them. */
@Injectable()
export class ScimGroupSearchService {
  constructor(
    private readonly repository: ScimGroupsRepository,
    private readonly members: ScimGroupMembersRepository,
  ) {}

  /** @throws ApiError 404 */
  async get(orgId: string, id: string): Promise<ScimGroup> {
    const group = await this.repository.find(orgId, id);
    if (!group) throw missingInOrganization('group', id);
    return group;
  }

  async present(group: ScimGroup, projection: Projection | null, baseUrl: string): Promise<JsonObject> {
    const members = holds(projection, 'members') ? await this.members.ofGroups(group.orgId, [group.id]) : [];
    return projected(presentScimGroup(group, members, baseUrl), projection);
  }

  countMembers(group: ScimGroup): Promise<number> {
    return this.members.count(group);
  }

  /** All groups by name, for people. */
  counted(orgId: string): Promise<CountedGroup[]> {
    return this.repository.counted(orgId);
  }

  async search(
    orgId: string,
    { filter, count, startIndex, projection }: ListQuery,
    baseUrl: string,
  ): Promise<{ total: number; resources: JsonObject[] }> {
    const window = { offset: startIndex - 1, count };
    const found = filter
      ? await this.filtered(orgId, filter, window, baseUrl)
      : await this.unfiltered(orgId, window);
    const members = holds(projection, 'members')
      ? await this.membersOf(orgId, found.groups)
      : new Map<string, never>();
    const resources = found.groups.map((group) =>
      projected(presentScimGroup(group, members.get(group.id) ?? [], baseUrl), projection),
    );
    return { total: found.total, resources };
  }

  private async unfiltered(orgId: string, { offset, count }: { offset: number; count: number }) {
    const total = await this.repository.count(orgId);
    const groups = count === 0 || offset >= total ? [] : await this.repository.page(orgId, offset, count);
    return { total, groups };
  }

  private async filtered(
    orgId: string,
    filter: Filter,
    { offset, count }: { offset: number; count: number },
    baseUrl: string,
  ): Promise<{ total: number; groups: ScimGroup[] }> {
    const needsMembers = asksFor(filter, 'members');
    const groups: ScimGroup[] = [];
    let total = 0;
    const take = async (candidates: ScimGroup[]): Promise<void> => {
      const members = needsMembers ? await this.membersOf(orgId, candidates) : new Map<string, never>();
      for (const group of candidates) {
        if (!matches(presentScimGroup(group, members.get(group.id) ?? [], baseUrl), filter)) continue;
        if (total >= offset && groups.length < count) groups.push(group);
        total++;
      }
    };
    const lookup = lookupOf(filter, groupLookups);
    if (lookup) {
      await take(await this.repository.lookup(orgId, lookup));
      return { total, groups };
    }
    for (let last: ScimGroup | null = null; ;) {
      const batch: ScimGroup[] = await this.repository.batch(orgId, last, BATCH);
      await take(batch);
      last = batch.at(-1) ?? null;
      if (batch.length < BATCH || last === null) return { total, groups };
    }
  }

  private async membersOf(orgId: string, groups: readonly ScimGroup[]): Promise<Map<string, GroupMember[]>> {
    if (groups.length === 0) return new Map();
    const all = await this.members.ofGroups(
      orgId,
      groups.map(({ id }) => id),
    );
    return grouped(all, ({ groupId }) => groupId);
  }
}
