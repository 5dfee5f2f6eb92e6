import { domainToASCII } from 'node:url';

/** Longest address a mail server must accept (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX = 254;

/* Refuses characters that could end a header or an address list, because addresses are used in mails. */
const ADDRESS =
  /^[^\s@<>()[\]\\,;:"\p{C}]+@(?:localhost|[^\s@<>()[\]\\,;:".\p{C}\u0080-\u{10ffff}]+(?:\.[^\s@<>()[\]\\,;:".\p{C}\u0080-\u{10ffff}]+)+)$/u;

const ASCII = /^\p{ASCII}*$/u;

/* Characters from which the conversion would parse a URL and drop parts of the host. */
const NO_HOST = /[\s/\\:?#@%[\]]/;

/**
 * The single form in which an address is stored and compared: lower case, the domain in DNS form (A-labels). Otherwise
 * a rule for a domain would not apply to another spelling of it.
 */
export function normalizeEmail(text: string): string {
  const address = text.trim().toLowerCase();
  const domain = emailDomain(address);
  if (ASCII.test(domain) || NO_HOST.test(domain)) return address;
  const ascii = domainToASCII(domain);
  return ascii === '' ? address : address.slice(0, -domain.length) + ascii;
}

/** Returns the part after the last `@`, or an empty string. */
export function emailDomain(address: string): string {
  const at = address.lastIndexOf('@');
  return at === -1 ? '' : address.slice(at + 1);
}

/** True for a normalised address with one `@` and a domain with a dot (or `localhost`, for trials). */
export function isEmail(address: string): boolean {
  return address.length <= EMAIL_MAX && ADDRESS.test(address);
}
