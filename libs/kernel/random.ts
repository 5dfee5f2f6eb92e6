import { randomFillSync } from 'node:crypto';

/** Random bytes fetched in advance and used once: a system call for every few bytes costs more than the bytes. */
const pool = Buffer.alloc(4096);
let used = pool.length;

function fill(): void {
  randomFillSync(pool);
  used = 0;
}

export function randomByte(): number {
  if (used === pool.length) fill();
  const byte = pool[used] as number;
  // Erases bytes from the pool that may have become part of a secret.
  pool[used++] = 0;
  return byte;
}

/** At most 256 bytes. */
export function fewRandomBytes(length: number): Buffer {
  if (used + length > pool.length) fill();
  const bytes = Buffer.from(pool.subarray(used, used + length));
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
}
