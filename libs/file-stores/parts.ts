const MIB = 1024 * 1024;
const SMALL = 8 * MIB;
const LARGE = 64 * MIB;
/** S3 allows 10,000 parts, so later ones are larger: files of up to 570 GiB. */
const SMALL_PARTS = 1000;

/** The size of part `number` (from 1); only the last part of a file may be smaller. */
export function partBytes(number: number): number {
  return number <= SMALL_PARTS ? SMALL : LARGE;
}

/** The position of part `number` in its file. */
export function partOffset(number: number): number {
  const before = number - 1;
  return Math.min(before, SMALL_PARTS) * SMALL + Math.max(before - SMALL_PARTS, 0) * LARGE;
}
