import type { Clock } from '../../kernel/index.js';

/** What a command needs from its process, injected so that tests can replace it. */
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
