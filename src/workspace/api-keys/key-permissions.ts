import {
  allPermissions,
  expandPermissions,
  type PermissionSet,
} from '../../platform/principal/permissions.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

/**
 * Returns the permissions to store with a new key: those requested, or all of its creator's. `*` is stored unchanged,
 * so that the key also gets the permissions of later versions.
 * @throws ApiError 400 for a name that does not exist, 403 for more than the creator's own.
 */
export function permissionsOfNewKey(wanted: string[] | undefined, held: PermissionSet): string[] {
  if (wanted === undefined) {
    const holdsEverything = allPermissions.every((name) => held.has(name));
    return holdsEverything ? ['*'] : allPermissions.filter((name) => held.has(name));
  }
  const unknown = wanted.find((name) => expandPermissions([name]) === null);
  if (unknown !== undefined) {
    throw ApiError.parameter('permissions', `There is no permission ${JSON.stringify(unknown)}.`);
  }
  for (const name of expandPermissions(wanted) ?? []) {
    if (held.has(name)) continue;
    const message = `A key cannot have more permissions than its creator, which lacks the permission (scope) \`${name}\`.`;
    throw new ApiError('forbidden', message, { param: 'permissions' });
  }
  return [...new Set(wanted)];
}
