import type { Clock } from '../../kernel/index.js';

/** The process functions that a command uses, injected so that tests can replace them. */
export interface Runtime {
  clock: Clock;
  /** Waits; rejects with `signal.reason` when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Writes the report, and nothing else. */
  writeOutput(text: string): void;
  /** Writes progress and warnings. */
  writeError(text: string): void;
  /** Whether `writeError` writes to a terminal, where a line can be replaced. */
  isTerminal: boolean;
  /** Aborted by SIGINT and SIGTERM. */
  stop: AbortSignal;
}
