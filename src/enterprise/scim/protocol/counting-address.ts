import { isJsonObject, type JsonObject, type JsonValue } from '../../../../libs/kernel/index.js';
import { isEmail, normalizeEmail } from '../../../platform/http/bodies/email.js';

function addressOf(element: JsonValue | undefined): string | null {
  const value = isJsonObject(element) ? element.value : undefined;
  return typeof value === 'string' && value.trim() !== '' ? normalizeEmail(value) : null;
}

/** All email addresses of a user, normalized for comparison. */
export function addressesOf(user: JsonObject): string[] {
  const elements = Array.isArray(user.emails) ? user.emails : [];
  return [...new Set(elements.map(addressOf).filter((address) => address !== null))];
}

/**
 * Returns the effective address: the primary one, else the first of type `work`, else the first, else `userName` if it
 * is an address. Returns null if it is not valid.
 */
export function countingAddress(user: JsonObject): string | null {
  const elements = (Array.isArray(user.emails) ? user.emails : []).filter(
    (element) => addressOf(element) !== null,
  );
  const isWork = (element: JsonValue): boolean =>
    isJsonObject(element) && typeof element.type === 'string' && element.type.toLowerCase() === 'work';
  const chosen =
    elements.find((element) => isJsonObject(element) && element.primary === true) ??
    elements.find(isWork) ??
    elements[0];
  const userName = typeof user.userName === 'string' ? normalizeEmail(user.userName) : null;
  const address = chosen === undefined ? userName : addressOf(chosen);
  return address !== null && isEmail(address) ? address : null;
}
