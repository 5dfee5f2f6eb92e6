import { createHash } from 'node:crypto';

/** Rows have their members in a fixed order. */
export function rowHash(row: object): string {
  return createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 22);
}
