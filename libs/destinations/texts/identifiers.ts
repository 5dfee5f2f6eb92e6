import { hash } from 'node:crypto';

/** Base 32 of `BigInt.toString`, and Crockford's. */
const DIGITS = '0123456789abcdefghijklmnopqrstuv';
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The same 128 bits as a ULID. */
export function ulidOf(uuid: string): string {
  const digits = BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(32)
    .padStart(26, '0');
  let ulid = '';
  for (const digit of digits) ulid += CROCKFORD[DIGITS.indexOf(digit)];
  return ulid;
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** As Meta normalizes emails before it compares hashes. */
export function emailHash(email: string): string {
  return sha256(email.trim().toLowerCase());
}

/** As Meta normalizes phone numbers: digits without leading zeros. */
export function phoneHash(phone: string): string {
  return sha256(phone.replace(/\D/g, '').replace(/^0+/, ''));
}

/** The value of an id; undefined if it is missing, or zeroed because the customer refused tracking. */
export function trackableId(id: string | undefined): string | undefined {
  return id !== undefined && /[^0\s-]/.test(id) ? id : undefined;
}

/** At most this many characters, never half of one. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
