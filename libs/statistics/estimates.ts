/** The 97.5 % quantile of the normal distribution. */
export const Z = 1.959964;

export interface Interval {
  lower: number;
  upper: number;
}

/** A treatment's value relative to the control's, minus 1; with its 95 % interval. */
export interface Lift extends Interval {
  lift: number;
}

/** No test shows a variant to win or lose for certain. */
export function clampChance(chance: number): number {
  return Math.min(0.999, Math.max(0.001, chance));
}

/** The interval of a lift whose logarithm is normal. */
export function liftInterval(ratio: number, variance: number): Interval {
  const reach = Z * Math.sqrt(variance);
  return { lower: ratio * Math.exp(-reach) - 1, upper: ratio * Math.exp(reach) - 1 };
}
