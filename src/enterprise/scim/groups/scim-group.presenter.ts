import type { JsonObject } from '../../../../libs/kernel/index.js';
import { groupType, userType } from '../protocol/resource-type.js';
import { locationOf, withCommon } from '../shared/stored-resource.js';
import type { ScimGroup } from './scim-group.entity.js';
import type { GroupMember } from './scim-group-members.repository.js';

/** Omits `members` for an empty group (RFC 7643, 2.5). */
export function presentScimGroup(
  group: ScimGroup,
  members: readonly GroupMember[],
  baseUrl: string,
): JsonObject {
  if (members.length === 0) return withCommon(groupType, group, baseUrl);
  const shown = members.map(({ scimUserId, userName }) => ({
    value: scimUserId,
    $ref: locationOf(userType, baseUrl, scimUserId),
    display: userName,
    type: 'User',
  }));
  return withCommon(groupType, group, baseUrl, { members: shown });
}
