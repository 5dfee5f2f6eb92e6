import { ApiError } from '../http/errors/api-error.js';
import type { Permission } from '../principal/permissions.js';

/** Public clients search the message for the word "scope" and a name in backquotes. */
export function missingPermission(who: string, permission: Permission, challenge?: string): ApiError {
  return new ApiError('forbidden', `This ${who} lacks the permission (scope) \`${permission}\`.`, {
    challenge,
  });
}
