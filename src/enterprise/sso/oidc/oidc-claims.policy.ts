import type { IDToken } from 'openid-client';
import { isJsonObject } from '../../../../libs/kernel/index.js';
import { emailOf, groupsOf, nameOf, type SsoIdentity } from '../shared/identity.policy.js';
import { SsoRefused } from '../shared/sso-reasons.js';

const LEEWAY_S = 60;

type Claims = Readonly<Record<string, unknown>>;

/** Claim names that an organization configured. */
export interface ClaimNames {
  /** Null means `email`, which must not be unverified. */
  email: string | null;
  /** Null if groups are not read. */
  groups: string | null;
}

/** Claims about a person from the ID token and, if called, the userinfo endpoint. */
export interface ProviderClaims {
  idToken: IDToken;
  /** Null if it was not called or does not exist; `'other_subject'` if its response describes another person. */
  userinfo: Claims | 'other_subject' | null;
}

/** Checks that openid-client leaves to its callers. @throws SsoRefused */
export function checkIdToken(claims: IDToken, clientId: string, nowMs: number): void {
  // openid-client checks `azp` only if there are several audiences.
  if (claims.azp !== undefined && claims.azp !== clientId) throw new SsoRefused('audience');
  if (claims.iat > nowMs / 1000 + LEEWAY_S) throw new SsoRefused('not_yet_valid');
}

/** Returns an own claim that is neither null nor an empty string, or undefined. */
function valueIn(claims: Claims, name: string): unknown {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return value === null || value === '' ? undefined : value;
}

/** Whether userinfo is needed: providers may omit claims from the ID token (OpenID Connect Core, 5.4). */
export function needsUserinfo(idToken: IDToken, { email, groups }: ClaimNames): boolean {
  if (valueIn(idToken, email ?? 'email') === undefined) return true;
  return groups !== null && valueIn(idToken, groups) === undefined;
}

/** Claims of the ID token take precedence over those of userinfo. @throws SsoRefused */
export function oidcIdentity({ idToken, userinfo }: ProviderClaims, names: ClaimNames): SsoIdentity {
  const extra = isJsonObject(userinfo) ? userinfo : {};
  const claimed = (name: string): unknown => valueIn(idToken, name) ?? valueIn(extra, name);
  const isOther = userinfo === 'other_subject';
  const email = emailIn(idToken, extra, names.email, isOther);
  const groups = names.groups === null ? undefined : claimed(names.groups);
  return {
    email,
    name: nameOf(claimed('name'), undefined) ?? nameOf(claimed('given_name'), claimed('family_name')),
    groups: groups === undefined ? [] : groupNames(groups, email),
    // A custom email claim may be editable, so the subject prevents people from impersonating others.
    subject: names.email === null ? null : idToken.sub,
    note:
      names.groups !== null && groups === undefined ? missingGroups(idToken, names.groups, isOther) : null,
  };
}

function emailIn(idToken: IDToken, userinfo: Claims, emailClaim: string | null, isOther: boolean): string {
  const claim = emailClaim ?? 'email';
  const source = [idToken, userinfo].find((claims) => valueIn(claims, claim) !== undefined);
  if (!source && isOther) throw new SsoRefused('userinfo_sub');
  const details = { claims: [...new Set([...Object.keys(idToken), ...Object.keys(userinfo)])].sort() };
  const email = source && emailOf([valueIn(source, claim)], { claim, details });
  if (email === undefined) throw new SsoRefused('email', { claim, details });
  if (emailClaim === null && !isVerified(valueIn(source as Claims, 'email_verified'))) {
    throw new SsoRefused('email_unverified', { email });
  }
  return email;
}

/** Trusts providers that do not send the claim. Some send booleans as strings or numbers. */
function isVerified(value: unknown): boolean {
  return [undefined, true, 'true', 1].includes(value as boolean | string | number | undefined);
}

/** Accepts a list, one name as a string, or an object with names as keys. @throws SsoRefused */
function groupNames(value: unknown, email: string): string[] {
  if (Array.isArray(value) || typeof value === 'string') return groupsOf(value);
  if (isJsonObject(value)) return groupsOf(Object.keys(value));
  throw new SsoRefused('groups_claim', { email });
}

/** The reason for missing groups, for the audit log. */
function missingGroups(idToken: IDToken, claim: string, isOther: boolean): SsoIdentity['note'] {
  const { _claim_names: elsewhere, hasgroups } = idToken;
  // For people in more than 200 groups, Entra ID refers to another service.
  if ((isJsonObject(elsewhere) && Object.hasOwn(elsewhere, claim)) || hasgroups === true)
    return 'groups_overage';
  return isOther ? 'userinfo_sub' : null;
}
