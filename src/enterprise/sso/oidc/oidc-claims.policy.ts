import type { IDToken } from 'openid-client';
import { isJsonObject } from '../../../../libs/kernel/index.js';
import { emailOf, groupsOf, nameOf, type SsoIdentity } from '../shared/identity.policy.js';
import { SsoRefused } from '../shared/sso-reasons.js';

const LEEWAY_S = 60;

type Claims = Readonly<Record<string, unknown>>;

/** Names of the claims that an organization set. */
export interface ClaimNames {
  /** Null: `email`, which must not be unverified. */
  email: string | null;
  /** Null: groups are not read. */
  groups: string | null;
}

/** Claims about a person, from the ID token and, if it was asked, the userinfo endpoint. */
export interface ProviderClaims {
  idToken: IDToken;
  /** Null if it was not asked, or has no endpoint; `'other_subject'` if its answer is about another person. */
  userinfo: Claims | 'other_subject' | null;
}

/** Checks what openid-client leaves to its callers. @throws SsoRefused */
export function checkIdToken(claims: IDToken, clientId: string, nowMs: number): void {
  // It looks at `azp` only beside several audiences.
  if (claims.azp !== undefined && claims.azp !== clientId) throw new SsoRefused('audience');
  if (claims.iat > nowMs / 1000 + LEEWAY_S) throw new SsoRefused('not_yet_valid');
}

/** An own claim that is neither null nor empty text; else undefined. */
function valueIn(claims: Claims, name: string): unknown {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return value === null || value === '' ? undefined : value;
}

/** Whether userinfo has to be asked: providers may leave claims out of the ID token (OpenID Connect Core, 5.4). */
export function needsUserinfo(idToken: IDToken, { email, groups }: ClaimNames): boolean {
  if (valueIn(idToken, email ?? 'email') === undefined) return true;
  return groups !== null && valueIn(idToken, groups) === undefined;
}

/** The ID token's claims come before those of userinfo. @throws SsoRefused */
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
    // Whoever can change another claim than the provider's own `email` must not become someone else.
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

/** A provider that says nothing about it is believed. Some write booleans as text or as numbers. */
function isVerified(value: unknown): boolean {
  return [undefined, true, 'true', 1].includes(value as boolean | string | number | undefined);
}

/** A list, one name as text, or an object whose keys are the names. @throws SsoRefused */
function groupNames(value: unknown, email: string): string[] {
  if (Array.isArray(value) || typeof value === 'string') return groupsOf(value);
  if (isJsonObject(value)) return groupsOf(Object.keys(value));
  throw new SsoRefused('groups_claim', { email });
}

/** Why there are no groups, for the audit log. */
function missingGroups(idToken: IDToken, claim: string, isOther: boolean): SsoIdentity['note'] {
  const { _claim_names: elsewhere, hasgroups } = idToken;
  // Entra ID refers to another service for people in more than 200 groups.
  if ((isJsonObject(elsewhere) && Object.hasOwn(elsewhere, claim)) || hasgroups === true)
    return 'groups_overage';
  return isOther ? 'userinfo_sub' : null;
}
