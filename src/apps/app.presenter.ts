import type { AppDto, PublicApiKeyDto } from './app.dto.js';
import type { App } from './app.entity.js';

export function presentApp(app: App): AppDto {
  return {
    object: 'app',
    id: app.id,
    name: app.name,
    created_at: app.createdAt.getTime(),
    type: app.type,
    project_id: app.projectId,
    custom_url_scheme: app.customUrlScheme,
  };
}

export function presentPublicKey(app: App): PublicApiKeyDto {
  return {
    object: 'public_api_key',
    id: `pk_${app.id}`,
    key: app.publicKey,
    environment: app.type === 'test_store' ? 'sandbox' : 'production',
    app_id: app.id,
    created_at: app.createdAt.getTime(),
  };
}
