import { createHash, timingSafeEqual } from 'node:crypto';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Without a configured token, any request may read them. Takes the same time for every wrong token. */
export function mayReadMetrics(token: string | null, authorization: string | undefined): boolean {
  if (token === null) return true;
  const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(sha256(given), sha256(token));
}
