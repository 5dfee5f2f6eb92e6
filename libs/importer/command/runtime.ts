import type { Clock } from '../../kernel/index.js';

/** What a command needs from its process, injected so that tests can replace it. */
export interface Runtime {
  clock: Clock;
  /** Waits, or rejects with `signal.reason` when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** 0 up to 1. */
  random(): number;
  /** Report, and nothing else. */
  writeOutput(text: string): void;
  /** Progress and warnings. */
  writeError(text: string): void;
  /** Whether `writeError` reaches a terminal, which can replace a line. */
  isTerminal: boolean;
  /** Aborted by SIGINT and SIGTERM. */
  stop: AbortSignal;
}
