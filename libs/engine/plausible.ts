/** Clocks differ, but a statement from further in the future would override all correct ones until then. */
const FUTURE_TOLERANCE_MS = 24 * 3_600_000;

/** @throws RangeError if the statement is from the future */
export function assertPlausible({ atMs }: { atMs: number }, nowMs: number): void {
  if (!Number.isSafeInteger(atMs) || atMs < 0 || atMs > nowMs + FUTURE_TOLERANCE_MS) {
    throw new RangeError(`an observation cannot be of ${atMs} at ${nowMs}`);
  }
}
