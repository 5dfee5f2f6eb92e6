/** The current time, injected wherever time matters so that tests can control it. */
export interface Clock {
  /** Epoch milliseconds. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

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
