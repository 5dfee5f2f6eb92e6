import type { Runtime } from '../command/runtime.js';

const MINUTE_MS = 60_000;
/** The burst allowed after a pause is the limit divided by this. */
const BURST_PART = 20;
/** Requests slow down when fewer than the limit divided by this remain. */
const RESERVE_PART = 10;
const DEFAULT_WAIT_MS = 60_000;

/**
 * Paces the requests of one rate domain by the limits in its answers. Requests are spread evenly, so that no minute
 * exceeds the limit, wherever the server's minute starts.
 */
export class RateBucket {
  /** Total time waited after 429 answers. */
  limitedMs = 0;
  private limit: number;
  private left: number;
  private pausedUntilMs = 0;
  /** Theoretical arrival time of the next request (GCRA). */
  private nextMs = 0;
  private queue: Promise<void> = Promise.resolve();

  constructor(
    /** Requests per minute until an answer contains another limit. */
    limit: number,
    private readonly runtime: Pick<Runtime, 'clock' | 'sleep' | 'random'>,
  ) {
    this.limit = limit;
    this.left = limit;
  }

  /** Resolves when a request may be sent. */
  take(signal?: AbortSignal): Promise<void> {
    const turn = this.queue.then(() => this.waitForTurn(signal));
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /** Remaining wait after a 429 answer; 0 if there is none. */
  get pausedMs(): number {
    return Math.max(0, this.pausedUntilMs - this.runtime.clock.nowMs());
  }

  /** Requests per minute that this domain allows. */
  get perMinute(): number {
    return this.limit;
  }

  /** Learns from an answer's headers. Ignores absent or non-numeric ones. */
  learn(usage: string | null, limit: string | null): void {
    const max = numberOf(limit);
    if (max !== null && max > 0) this.limit = max;
    const used = numberOf(usage);
    this.left = used === null ? this.limit : Math.max(0, this.limit - used);
  }

  /** After a 429, pauses the whole domain as long as the answer requests, plus up to a second. */
  pause(waitMs: number | null): void {
    const now = this.runtime.clock.nowMs();
    const until = now + (waitMs ?? DEFAULT_WAIT_MS) + Math.floor(this.runtime.random() * 1000);
    if (until <= this.pausedUntilMs) return;
    this.limitedMs += until - Math.max(now, this.pausedUntilMs);
    this.pausedUntilMs = until;
  }

  private async waitForTurn(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const now = this.runtime.clock.nowMs();
      const burst = Math.max(1, Math.floor(this.limit / BURST_PART));
      // A burst plus a minute of even requests equals the limit.
      const interval = (MINUTE_MS / Math.max(1, this.limit - burst)) * this.slowdown();
      const next = Math.max(this.nextMs, now);
      const dueMs = Math.max(next - (burst - 1) * interval, this.pausedUntilMs);
      if (dueMs <= now) {
        this.nextMs = next + interval;
        return;
      }
      // An answer may change the pace, so check again at least once a second.
      await this.runtime.sleep(Math.min(Math.ceil(dueMs - now), 1000), signal);
    }
  }

  /** 1 while enough requests remain, up to 10 for the last one: other programs may use the same key. */
  private slowdown(): number {
    const reserve = this.limit / RESERVE_PART;
    return this.left >= reserve ? 1 : Math.min(10, reserve / Math.max(this.left, reserve / 10));
  }
}

function numberOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header.trim()) ? Number(header) : null;
}
