/** Source of "now". Injected wherever time matters, so that tests can move it. */
export interface Clock {
  /** Current time in epoch milliseconds. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  constructor(private currentMs: number) {}

  nowMs(): number {
    return this.currentMs;
  }

  setMs(epochMs: number): void {
    this.currentMs = epochMs;
  }

  advanceMs(deltaMs: number): void {
    this.currentMs += deltaMs;
  }
}
