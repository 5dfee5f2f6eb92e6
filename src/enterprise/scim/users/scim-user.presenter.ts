import type { JsonObject } from '../../../../libs/kernel/index.js';
import { groupType, userType } from '../protocol/resource-type.js';
import { locationOf, withCommon } from '../shared/stored-resource.js';
import type { ScimUser } from './scim-user.entity.js';
import type { GroupOfUser } from './scim-users.repository.js';

export function presentScimUser(user: ScimUser, groups: readonly GroupOfUser[], baseUrl: string): JsonObject {
  if (groups.length === 0) return withCommon(userType, user, baseUrl);
  const shown = groups.map(({ groupId, displayName }) => ({
    value: groupId,
    $ref: locationOf(groupType, baseUrl, groupId),
    display: displayName,
    type: 'direct',
  }));
  return withCommon(userType, user, baseUrl, { groups: shown });
}
