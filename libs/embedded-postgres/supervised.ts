import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that ends unexpectedly this often within the window is not restarted. */
const MAX_RESTARTS = 5;
const WINDOW_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 500;

export interface Supervision {
  launch: () => Promise<ChildProcess>;
  /** Called when the server ended too often or no longer starts. It is not restarted. */
  onLost: (error: Error) => void;
  log: (line: string) => void;
}

/** Restarts a server that ends unexpectedly, with growing pauses. */
export class Supervised {
  private readonly endedAt: number[] = [];
  private isStopped = false;
  private restarting: Promise<void> = Promise.resolve();

  constructor(
    private child: ChildProcess,
    private readonly supervision: Supervision,
  ) {
    this.watch();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Prevents further restarts. Resolves when no start is in progress. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.restarting;
  }

  private watch(): void {
    const ended = (): void => {
      if (this.isStopped) return;
      const { exitCode, signalCode } = this.child;
      this.supervision.log(`PostgreSQL ended unexpectedly (${signalCode ?? `status ${exitCode}`})`);
      this.restarting = this.restart();
    };
    // It may have ended before the listener was added.
    if (this.child.exitCode !== null || this.child.signalCode !== null) ended();
    else this.child.once('exit', ended);
  }

  private async restart(): Promise<void> {
    const now = performance.now();
    const recent = this.endedAt.filter((at) => now - at < WINDOW_MS).length;
    this.endedAt.push(now);
    if (recent >= MAX_RESTARTS) {
      this.supervision.onLost(
        new Error(`The embedded PostgreSQL ended unexpectedly ${recent + 1} times within ten minutes`),
      );
      return;
    }
    await sleep(recent === 0 ? 0 : FIRST_PAUSE_MS * 2 ** recent);
    if (this.isStopped) return;
    try {
      this.child = await this.supervision.launch();
    } catch (error) {
      this.supervision.onLost(error as Error);
      return;
    }
    this.supervision.log('PostgreSQL was started again');
    this.watch();
  }
}
