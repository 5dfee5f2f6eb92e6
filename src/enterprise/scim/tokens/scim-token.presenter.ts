import type { ScimTokenDto } from './scim-token.dto.js';
import type { ListedScimToken } from './scim-tokens.service.js';

export function presentScimToken(token: ListedScimToken): ScimTokenDto {
  return {
    object: 'scim_token',
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    created_by: token.createdBy,
    created_at: token.createdAt.getTime(),
    last_used_at: token.lastUsedAt?.getTime() ?? null,
    revoked_at: token.revokedAt?.getTime() ?? null,
  };
}
