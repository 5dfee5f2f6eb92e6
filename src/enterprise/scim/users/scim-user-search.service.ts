import { Injectable } from '@nestjs/common';
import { grouped, type JsonObject } from '../../../../libs/kernel/index.js';
import { ScimSearch } from '../shared/scim-search.js';
import type { ScimUser } from './scim-user.entity.js';
import { presentScimUser } from './scim-user.presenter.js';
import { type GroupOfUser, ScimUsersRepository, userLookups } from './scim-users.repository.js';

/** Reads users as resources, with their groups. */
@Injectable()
export class ScimUserSearchService extends ScimSearch<ScimUser, GroupOfUser> {
  protected readonly noun = 'user';
  protected readonly relatedAttribute = 'groups';
  protected readonly lookups = userLookups;
  protected readonly batchSize = 2_000;

  constructor(private readonly users: ScimUsersRepository) {
    super(users);
  }

  protected async relatedTo(orgId: string, users: readonly ScimUser[]): Promise<Map<string, GroupOfUser[]>> {
    const ids = users.map(({ id }) => id);
    return grouped(await this.users.groupsOf(orgId, ids), ({ scimUserId }) => scimUserId);
  }

  protected presented(user: ScimUser, groups: readonly GroupOfUser[], baseUrl: string): JsonObject {
    return presentScimUser(user, groups, baseUrl);
  }
}
