/** The 97.5 % quantile of the normal distribution. */
export const Z = 1.959964;

export interface Interval {
  lower: number;
  upper: number;
}

/** Relative difference between the treatment's and the control's value, with its 95 % interval. */
export interface Lift extends Interval {
  lift: number;
}

/** No test can show for certain that a variant wins or loses. */
export function clampChance(chance: number): number {
  return Math.min(0.999, Math.max(0.001, chance));
}

/** The interval of a lift whose logarithm is normal. */
export function liftInterval(ratio: number, variance: number): Interval {
  const reach = Z * Math.sqrt(variance);
  return { lower: ratio * Math.exp(-reach) - 1, upper: ratio * Math.exp(reach) - 1 };
}
