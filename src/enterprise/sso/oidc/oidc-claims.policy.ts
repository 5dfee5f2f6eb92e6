import type { IDToken } from 'openid-client';
import { emailOf, groupsOf, nameOf, type SsoIdentity } from '../shared/identity.policy.js';
import { SsoRefused } from '../shared/sso-reasons.js';

const LEEWAY_S = 60;

/** What openid-client leaves to its callers. @throws SsoRefused */
export function checkIdToken(claims: IDToken, clientId: string, nowMs: number): void {
  // It looks at `azp` only beside several audiences.
  if (claims.azp !== undefined && claims.azp !== clientId) throw new SsoRefused('audience');
  if (claims.iat > nowMs / 1000 + LEEWAY_S) throw new SsoRefused('not_yet_valid');
}

/** A provider that says nothing about the address is believed, one that says it is not verified is too. @throws SsoRefused */
export function oidcIdentity(claims: IDToken, groupsClaim: string | null): SsoIdentity {
  const email = emailOf([claims.email]);
  // Some providers write booleans as text.
  const isVerified = [undefined, true, 'true'].includes(
    claims.email_verified as boolean | string | undefined,
  );
  if (!isVerified) throw new SsoRefused('email_unverified', { email });
  const fullName = nameOf(claims.name, undefined);
  return {
    email,
    name: fullName ?? nameOf(claims.given_name, claims.family_name),
    groups: groupsClaim === null || !Object.hasOwn(claims, groupsClaim) ? [] : groupsOf(claims[groupsClaim]),
  };
}
