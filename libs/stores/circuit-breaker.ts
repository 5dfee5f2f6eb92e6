/** Failures in a row after which nothing is asked for a while. */
const OPENS_AFTER = 5;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
/** Failures of longer ago say nothing about now. */
const FORGOTTEN_AFTER_MS = 600_000;
/** Calls that find out after a pause whether the store answers again. */
const TRIALS = 4;

/** The store is left alone for now: it did not answer lately. */
export class CircuitOpen extends Error {
  constructor(readonly retryAfterMs: number) {
    super('The store did not answer lately.');
    this.name = 'CircuitOpen';
  }
}

type StatusOf = (outcome: unknown) => number | undefined;

/** Runs a call that is let through, to watch it. `circuit` begins with the address of the store. */
export type WatchCall = <Answer>(
  circuit: string,
  call: () => Promise<Answer>,
  statusOf: StatusOf,
) => Promise<Answer>;

interface Circuit {
  failures: number;
  failedAtMs: number;
  pauseMs: number;
  /** Until when nothing is asked, epoch ms; null while it is closed. */
  openUntilMs: number | null;
  trials: number;
}

/**
 * Keeps calls from a store that does not answer, by host and app: who waits for an answer gets it at once instead
 * of after the deadline. Closes again by itself with the first call that succeeds after a pause. Each process has
 * its own, which only protects: what one process does not ask, another may.
 */
export class CircuitBreaker {
  private readonly circuits = new Map<string, Circuit>();

  constructor(
    private readonly nowMs: () => number,
    private readonly watch: WatchCall = (_, call) => call(),
  ) {}

  /**
   * Makes a call. `statusOf` gives the HTTP status of what it returned or threw: without one there was no answer.
   * @throws CircuitOpen at once while the store is left alone; else what the call throws
   */
  async run<Answer>(key: string, call: () => Promise<Answer>, statusOf: StatusOf): Promise<Answer> {
    const waitMs = this.enter(key);
    if (waitMs > 0) throw new CircuitOpen(waitMs);
    try {
      const answer = await this.watch(key, call, statusOf);
      this.recordOutcome(key, statusOf(answer));
      return answer;
    } catch (error) {
      this.recordOutcome(key, statusOf(error));
      throw error;
    }
  }

  /** Reserves a call; 0: it may be made, and its end has to be told. Else how many ms to wait. */
  enter(key: string): number {
    const circuit = this.circuits.get(key);
    if (!circuit || circuit.openUntilMs === null) return 0;
    const waitMs = circuit.openUntilMs - this.nowMs();
    if (waitMs > 0) return waitMs;
    if (circuit.trials === 0) {
      // The trials under way tell; should they never end, others follow after another pause.
      circuit.openUntilMs = this.nowMs() + circuit.pauseMs;
      circuit.trials = TRIALS;
      return circuit.pauseMs;
    }
    circuit.trials--;
    return 0;
  }

  /** The store answered, whatever it said. */
  answered(key: string): void {
    this.circuits.delete(key);
  }

  /** The store did not answer, or only that it is out of order. */
  failed(key: string): void {
    const nowMs = this.nowMs();
    const circuit = this.circuits.get(key);
    if (!circuit || nowMs - circuit.failedAtMs > FORGOTTEN_AFTER_MS) {
      const first = { failures: 1, failedAtMs: nowMs, pauseMs: FIRST_PAUSE_MS };
      this.circuits.set(key, { ...first, openUntilMs: null, trials: TRIALS });
      return;
    }
    circuit.failures++;
    circuit.failedAtMs = nowMs;
    if (circuit.failures < OPENS_AFTER) return;
    // Calls that began before it opened, or together with this one, say nothing new.
    if (circuit.openUntilMs !== null && circuit.openUntilMs > nowMs) return;
    if (circuit.openUntilMs !== null) circuit.pauseMs = Math.min(circuit.pauseMs * 2, MAX_PAUSE_MS);
    circuit.openUntilMs = nowMs + circuit.pauseMs;
    circuit.trials = TRIALS;
  }

  private recordOutcome(key: string, status: number | undefined): void {
    if (status === undefined || status >= 500) this.failed(key);
    else this.answered(key);
  }
}
