import type { AuthProviderDto } from './auth-provider.dto.js';
import type { AuthProvider } from './auth-provider.entity.js';

function keySourceOf({ kind, jwksUrl }: AuthProvider): AuthProviderDto['jwks_source'] {
  if (kind === 'firebase') return 'firebase';
  return jwksUrl === null ? 'discovery' : 'url';
}

export function presentAuthProvider(provider: AuthProvider): AuthProviderDto {
  return {
    object: 'auth_provider',
    id: provider.id,
    kind: provider.kind,
    name: provider.name,
    issuer: provider.issuer,
    audiences: provider.audiences,
    firebase_project_id: provider.firebaseProjectId,
    jwks_url: provider.jwksUrl,
    jwks_source: keySourceOf(provider),
    app_user_id_claim: provider.appUserIdClaim,
    app_user_id_prefix: provider.appUserIdPrefix,
    enabled: provider.enabled,
    created_at: provider.createdAt.getTime(),
    updated_at: provider.updatedAt.getTime(),
  };
}
