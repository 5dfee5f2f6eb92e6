/** Longest address a mail server must accept (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX = 254;

/* Whatever could end a header or an address list is refused: addresses end up in mails. */
const ADDRESS =
  /^[^\s@<>()[\]\\,;:"\p{C}]+@(?:localhost|[^\s@<>()[\]\\,;:".\p{C}]+(?:\.[^\s@<>()[\]\\,;:".\p{C}]+)+)$/u;

/** The one form in which an address is stored and compared. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** True for a normalised address with one `@` and a domain with a dot (or `localhost`, for trials). */
export function isEmail(address: string): boolean {
  return address.length <= EMAIL_MAX && ADDRESS.test(address);
}
