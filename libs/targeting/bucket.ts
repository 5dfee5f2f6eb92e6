import { createHash } from 'node:crypto';

export type BucketPurpose = 'enroll' | 'variant' | 'holdout' | 'rollout';

export const BUCKETS = 10_000;

/** Assigns a key to a bucket from 0 to 9999; the same on every server, at any time. */
export function bucketOf(salt: string, purpose: BucketPurpose, key: string): number {
  const hash = createHash('sha256').update(`${salt}:${purpose}:${key}`, 'utf8').digest();
  return Math.floor((hash.readUInt32BE(0) * BUCKETS) / 2 ** 32);
}

/** Upper bounds of the variants' buckets. `weights` null: equal shares; remainders go to the first variants. */
export function variantBounds(variants: number, weights: readonly number[] | null): number[] {
  if (weights === null) {
    return Array.from({ length: variants }, (_, index) => Math.ceil((BUCKETS * (index + 1)) / variants));
  }
  let sum = 0;
  return weights.map((weight) => (sum += weight * 100));
}

/** Index of the variant whose range contains the bucket. */
export function variantIndex(bounds: readonly number[], bucket: number): number {
  return bounds.findIndex((bound) => bucket < bound);
}
