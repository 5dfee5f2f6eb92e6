import type { AuthIdentityDto, ListedAuthIdentityDto } from './auth-identity.dto.js';
import type { IdentityDetails } from './auth-identities.service.js';
import type { AuthIdentity } from './auth-identity.entity.js';

export function presentListedAuthIdentity(identity: AuthIdentity): ListedAuthIdentityDto {
  return {
    object: 'auth_identity',
    provider_id: identity.providerId,
    subject: identity.subject,
    app_user_id: identity.appUserId,
    logins: identity.logins,
    last_login_at: identity.lastLoginAt.getTime(),
    created_at: identity.createdAt.getTime(),
  };
}

export function presentAuthIdentity({
  identity,
  customer,
  entitlements,
  balances,
}: IdentityDetails): AuthIdentityDto {
  return {
    ...presentListedAuthIdentity(identity),
    customer_id: customer?.originalAppUserId ?? null,
    active_entitlements: entitlements
      .filter(({ active }) => active)
      .map(({ lookupKey, expiresAtMs }) => ({ lookup_key: lookupKey, expires_at: expiresAtMs })),
    virtual_currencies: Object.fromEntries(
      balances.map(({ currency: { code, name }, balance }) => [code, { balance, name, code }]),
    ),
  };
}
