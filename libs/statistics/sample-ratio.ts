import { chiSquareTail } from './distributions.js';

const MISMATCH_BELOW = 0.001;

export interface SampleRatio {
  chiSquare: number;
  pValue: number;
  /** The variants' sizes cannot be chance: customers were lost or counted twice, and the results mislead. */
  isMismatch: boolean;
}

/** Compares the variants' customers with their shares, which add up to 1. */
export function sampleRatio(customers: readonly number[], shares: readonly number[]): SampleRatio {
  const total = customers.reduce((sum, count) => sum + count, 0);
  if (total === 0) return { chiSquare: 0, pValue: 1, isMismatch: false };
  const chiSquare = customers.reduce((sum, count, index) => {
    const expected = total * (shares[index] ?? 0);
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  const pValue = chiSquareTail(chiSquare, customers.length - 1);
  return { chiSquare, pValue, isMismatch: pValue < MISMATCH_BELOW };
}
