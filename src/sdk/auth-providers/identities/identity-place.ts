import type { Place } from '../../../platform/http/lists/list-place.js';
import type { AuthIdentity } from './auth-identity.entity.js';

export type IdentityPlace = Pick<AuthIdentity, 'lastLoginAt' | 'subject' | 'providerId'>;

export function placeOfIdentity({ lastLoginAt, providerId, subject }: IdentityPlace): Place {
  return [lastLoginAt, `${providerId}:${subject}`];
}

/** Provider ids contain no colon, but subjects may. */
export function identityPlaceOf([lastLoginAt, key]: Place): IdentityPlace {
  const [providerId = '', ...subject] = String(key).split(':');
  return { lastLoginAt: lastLoginAt as Date, providerId, subject: subject.join(':') };
}
