import type { ApiKeyDto } from './api-key.dto.js';
import type { ApiKey } from './api-key.entity.js';

export function presentApiKey(key: ApiKey): ApiKeyDto {
  return {
    object: 'api_key',
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    permissions: key.permissions,
    created_at: key.createdAt.getTime(),
    last_used_at: key.lastUsedAt?.getTime() ?? null,
  };
}
