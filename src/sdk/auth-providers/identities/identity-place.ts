import { type Place, readPlace } from '../../../platform/http/list-place.js';
import type { AuthIdentity } from './auth-identity.entity.js';

export type IdentityPlace = Pick<AuthIdentity, 'lastLoginAt' | 'subject' | 'providerId'>;

const KEY = /^(idp_[a-z0-9]+):(.+)$/;

export function placeOfIdentity({ lastLoginAt, providerId, subject }: IdentityPlace): Place {
  // Encoded: a subject may contain the slash that separates the parts of a cursor.
  return [lastLoginAt, `${providerId}:${encodeURIComponent(subject)}`];
}

/** Null if the text is not a cursor of `next_page`. */
export function identityPlaceOf(cursor: string): IdentityPlace | null {
  const [lastLoginAt, key] = readPlace(cursor, ['time']) ?? [];
  const [, providerId, encoded] = KEY.exec(String(key)) ?? [];
  if (!(lastLoginAt instanceof Date) || providerId === undefined || encoded === undefined) return null;
  try {
    return { lastLoginAt, providerId, subject: decodeURIComponent(encoded) };
  } catch {
    return null;
  }
}
