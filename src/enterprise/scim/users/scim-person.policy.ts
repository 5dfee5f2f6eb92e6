import { isJsonObject, type JsonObject } from '../../../../libs/kernel/index.js';
import type { ScimPerson } from '../people/scim-people.service.js';
import { countingAddress } from '../protocol/counting-address.js';

const NAME_MAX = 100;

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function nameOf({ displayName, name }: JsonObject): string | null {
  const parts = isJsonObject(name) ? name : {};
  const whole = [text(parts.givenName), text(parts.familyName)].filter((part) => part !== null).join(' ');
  return text(displayName) ?? text(parts.formatted) ?? text(whole);
}

/** The person that a SCIM user describes. */
export function personOf(resource: JsonObject): ScimPerson {
  const name = nameOf(resource);
  return { email: countingAddress(resource), name: name && [...name].slice(0, NAME_MAX).join('') };
}
