/** Consecutive failures that open the circuit. */
const OPENS_AFTER = 5;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
const FORGOTTEN_AFTER_MS = 600_000;
/** Concurrent trial calls after a pause. */
const TRIALS = 4;

export class CircuitOpen extends Error {
  constructor(readonly retryAfterMs: number) {
    super('The store did not answer lately.');
    this.name = 'CircuitOpen';
  }
}

type StatusOf = (outcome: unknown) => number | undefined;

/** Runs and observes a call. `circuit` starts with the host of the store. */
export type WatchCall = <Answer>(
  circuit: string,
  call: () => Promise<Answer>,
  statusOf: StatusOf,
) => Promise<Answer>;

interface Circuit {
  failures: number;
  failedAtMs: number;
  pauseMs: number;
  /** Epoch ms; null while closed. */
  openUntilMs: number | null;
  trials: number;
}

/**
 * One circuit per host and app in each process, so that callers fail at once instead of waiting for the deadline. One
 * success closes it.
 */
export class CircuitBreaker {
  private readonly circuits = new Map<string, Circuit>();

  constructor(
    private readonly nowMs: () => number,
    private readonly watch: WatchCall = (_, call) => call(),
  ) {}

  /**
   * `statusOf` returns the HTTP status of what the call returned or threw; undefined if the store did not answer.
   * @throws CircuitOpen at once while the circuit is open; otherwise what the call throws
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

  /** Reserves a call. Returns 0 if the call is allowed (report its outcome), otherwise the delay in ms. */
  enter(key: string): number {
    const circuit = this.circuits.get(key);
    if (!circuit || circuit.openUntilMs === null) return 0;
    const waitMs = circuit.openUntilMs - this.nowMs();
    if (waitMs > 0) return waitMs;
    if (circuit.trials === 0) {
      // The running trials decide. If they never return, others follow after another pause.
      circuit.openUntilMs = this.nowMs() + circuit.pauseMs;
      circuit.trials = TRIALS;
      return circuit.pauseMs;
    }
    circuit.trials--;
    return 0;
  }

  /** The store answered, whatever the answer. */
  answered(key: string): void {
    this.circuits.delete(key);
  }

  /** The store did not answer, or answered with a 5xx. */
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
    // Calls that started before it opened, or together with this one, add no information.
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
