import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../../libs/kernel/index.js';
import { missingInOrganization } from '../../access/organization-errors.js';
import type { Filter } from '../protocol/filter.js';
import { matches } from '../protocol/filter-evaluation.js';
import { asksFor, lookupOf } from '../protocol/filter-lookup.js';
import { holds, projected } from '../protocol/projection.js';
import { grouped } from '../shared/grouped.js';
import type { ListQuery } from '../shared/list-query.js';
import type { ScimUser } from './scim-user.entity.js';
import { presentScimUser } from './scim-user.presenter.js';
import { type GroupOfUser, ScimUsersRepository, userLookups } from './scim-users.repository.js';

const BATCH = 2_000;

export interface FoundResources {
  total: number;
  resources: JsonObject[];
}

/** Reads users as resources. */
@Injectable()
export class ScimUserSearchService {
  constructor(private readonly repository: ScimUsersRepository) {}

  /** @throws ApiError 404 */
  async get(orgId: string, id: string): Promise<ScimUser> {
    const user = await this.repository.find(orgId, id);
    if (!user) throw missingInOrganization('user', id);
    return user;
  }

  /** All attributes. */
  async present(user: ScimUser, baseUrl: string): Promise<JsonObject> {
    return presentScimUser(user, await this.repository.groupsOf(user.orgId, [user.id]), baseUrl);
  }

  async search(orgId: string, query: ListQuery, baseUrl: string): Promise<FoundResources> {
    const { filter, count, startIndex, projection } = query;
    const offset = startIndex - 1;
    const found = filter
      ? await this.filtered(orgId, filter, { offset, count }, baseUrl)
      : await this.unfiltered(orgId, { offset, count });
    const groups = holds(projection, 'groups')
      ? await this.groupsOf(orgId, found.users)
      : new Map<string, never>();
    const resources = found.users.map((user) =>
      projected(presentScimUser(user, groups.get(user.id) ?? [], baseUrl), projection),
    );
    return { total: found.total, resources };
  }

  private async unfiltered(orgId: string, { offset, count }: { offset: number; count: number }) {
    const total = await this.repository.count(orgId);
    const users = count === 0 || offset >= total ? [] : await this.repository.page(orgId, offset, count);
    return { total, users };
  }

  /** By an index if the filter has a condition on one; else all users are looked at, some at a time. */
  private async filtered(
    orgId: string,
    filter: Filter,
    { offset, count }: { offset: number; count: number },
    baseUrl: string,
  ): Promise<{ total: number; users: ScimUser[] }> {
    const needsGroups = asksFor(filter, 'groups');
    const users: ScimUser[] = [];
    let total = 0;
    const take = async (candidates: ScimUser[]): Promise<void> => {
      const groups = needsGroups ? await this.groupsOf(orgId, candidates) : new Map<string, never>();
      for (const user of candidates) {
        if (!matches(presentScimUser(user, groups.get(user.id) ?? [], baseUrl), filter)) continue;
        if (total >= offset && users.length < count) users.push(user);
        total++;
      }
    };
    const lookup = lookupOf(filter, userLookups);
    if (lookup) {
      await take(await this.repository.lookup(orgId, lookup));
      return { total, users };
    }
    for (let last: ScimUser | null = null; ;) {
      const batch: ScimUser[] = await this.repository.batch(orgId, last, BATCH);
      await take(batch);
      last = batch.at(-1) ?? null;
      if (batch.length < BATCH || last === null) return { total, users };
    }
  }

  private async groupsOf(orgId: string, users: readonly ScimUser[]): Promise<Map<string, GroupOfUser[]>> {
    if (users.length === 0) return new Map();
    const all = await this.repository.groupsOf(
      orgId,
      users.map(({ id }) => id),
    );
    return grouped(all, ({ scimUserId }) => scimUserId);
  }
}
