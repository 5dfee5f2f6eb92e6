import type { Runtime } from '../command/runtime.js';

const MINUTE_MS = 60_000;
/** Requests that may go out at once after a pause, as a part of the limit. */
const BURST_PART = 20;
/** Below this part of the limit, requests slow down. */
const RESERVE_PART = 10;
const DEFAULT_WAIT_MS = 60_000;

/**
 * Paces the requests of one rate domain, learned from the limits that answers name. Requests leave evenly: in no
 * minute more than the limit, whatever the server's minute is aligned to.
 */
export class RateBucket {
  /** Time waited after 429 answers. */
  limitedMs = 0;
  private limit: number;
  private left: number;
  private pausedUntilMs = 0;
  /** Theoretical arrival time of the next request (GCRA). */
  private nextMs = 0;
  private queue: Promise<void> = Promise.resolve();

  constructor(
    /** Requests a minute until an answer names another limit. */
    limit: number,
    private readonly runtime: Pick<Runtime, 'clock' | 'sleep' | 'random'>,
  ) {
    this.limit = limit;
    this.left = limit;
  }

  /** Returns when a request may go out. */
  take(signal?: AbortSignal): Promise<void> {
    const turn = this.queue.then(() => this.waitForTurn(signal));
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /** How long requests still wait because of a 429 answer; 0 if they do not. */
  get pausedMs(): number {
    return Math.max(0, this.pausedUntilMs - this.runtime.clock.nowMs());
  }

  /** Requests a minute that this domain allows. */
  get perMinute(): number {
    return this.limit;
  }

  /** Learns from the headers of an answer; ones that are absent or no numbers change nothing. */
  learn(usage: string | null, limit: string | null): void {
    const max = numberOf(limit);
    if (max !== null && max > 0) this.limit = max;
    const used = numberOf(usage);
    this.left = used === null ? this.limit : Math.max(0, this.limit - used);
  }

  /** After a 429: everything of the domain waits as long as the answer says, and up to a second more. */
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
      // A burst and a minute of even requests together are the limit.
      const interval = (MINUTE_MS / Math.max(1, this.limit - burst)) * this.slowdown();
      const next = Math.max(this.nextMs, now);
      const dueMs = Math.max(next - (burst - 1) * interval, this.pausedUntilMs);
      if (dueMs <= now) {
        this.nextMs = next + interval;
        return;
      }
      // Answers may change the pace meanwhile: look again at least once a second.
      await this.runtime.sleep(Math.min(Math.ceil(dueMs - now), 1000), signal);
    }
  }

  /** 1 while enough requests are left, up to 10 with the last one: other programs may use the same key. */
  private slowdown(): number {
    const reserve = this.limit / RESERVE_PART;
    return this.left >= reserve ? 1 : Math.min(10, reserve / Math.max(this.left, reserve / 10));
  }
}

function numberOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header.trim()) ? Number(header) : null;
}
