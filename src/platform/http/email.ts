import { domainToASCII } from 'node:url';

/** Longest address a mail server must accept (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX = 254;

/* Whatever could end a header or an address list is refused: addresses end up in mails. */
const ADDRESS =
  /^[^\s@<>()[\]\\,;:"\p{C}]+@(?:localhost|[^\s@<>()[\]\\,;:".\p{C}\u0080-\u{10ffff}]+(?:\.[^\s@<>()[\]\\,;:".\p{C}\u0080-\u{10ffff}]+)+)$/u;

const ASCII = /^\p{ASCII}*$/u;

/* The conversion would take the host out of what looks like a URL. */
const NO_HOST = /[\s/\\:?#@%[\]]/;

/**
 * The one form in which an address is stored and compared: in lower case, the domain as DNS has it (A-labels). Otherwise
 * a rule for a domain would not apply to another spelling of it.
 */
export function normalizeEmail(text: string): string {
  const address = text.trim().toLowerCase();
  const domain = emailDomain(address);
  if (ASCII.test(domain) || NO_HOST.test(domain)) return address;
  const ascii = domainToASCII(domain);
  return ascii === '' ? address : address.slice(0, -domain.length) + ascii;
}

/** What follows the last `@`, or an empty text. */
export function emailDomain(address: string): string {
  const at = address.lastIndexOf('@');
  return at === -1 ? '' : address.slice(at + 1);
}

/** True for a normalised address with one `@` and a domain with a dot (or `localhost`, for trials). */
export function isEmail(address: string): boolean {
  return address.length <= EMAIL_MAX && ADDRESS.test(address);
}
