import pg from 'pg';

/** Time limit (ms) for closing a connection, because a hung server does not respond to that either. */
const END_WITHIN_MS = 1_000;

type Run = (...args: unknown[]) => unknown;

export interface BoundedQuery extends pg.QueryConfig {
  limitMs?: number;
}

export interface BoundedClientOptions extends pg.ClientConfig {
  /** Default time limit (ms) for a statement; null: no limit. */
  limitMs?: number | null;
  /** All connections to the same server. */
  peers?: Set<BoundedClient>;
}

/** The server did not respond in time. The connection was closed, and its open transaction is lost. */
class UnansweredStatement extends Error {
  /** A network error code, so that callers treat it like a lost connection. */
  readonly code = 'ETIMEDOUT';
}

/**
 * Closes its connection when a statement times out. A server that stops responding may be gone for good (a dead host, a
 * dropped NAT entry), and a connection with a pending response cannot be reused. Idle connections to the same server
 * without recent responses are closed too, so that each does not cost another request its timeout.
 */
export class BoundedClient extends pg.Client {
  private readonly usualLimitMs: number | null;
  private limitMs: number | null;
  private readonly peers: Set<BoundedClient>;
  private running = 0;
  private heardAt = performance.now();

  constructor({ limitMs = null, peers = new Set(), ...options }: BoundedClientOptions = {}) {
    super(options);
    this.usualLimitMs = limitMs;
    this.limitMs = limitMs;
    this.peers = peers;
    peers.add(this);
    this.once('end', () => peers.delete(this));
    // Nothing listens for errors between two statements; the next statement fails.
    this.on('error', () => undefined);
  }

  override query(...args: unknown[]): never {
    const [command] = args as [Partial<BoundedQuery> & { submit?: unknown }];
    const run = super.query.bind(this) as Run;
    // A stream has no single response.
    if (typeof command.submit === 'function') return run(...args) as never;
    const answered = this.watch(command.limitMs ?? this.limitMs);
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (...result: unknown[]) => {
        answered();
        (callback as Run)(...result);
      };
      return run(...args) as never;
    }
    const answer = run(...args) as Promise<unknown>;
    answer.then(answered, answered);
    return answer as never;
  }

  override end(callback?: (error: Error) => void): never {
    const force = setTimeout(() => this.connection.stream.destroy(), END_WITHIN_MS).unref();
    this.once('end', () => clearTimeout(force));
    return (callback ? super.end(callback) : super.end()) as never;
  }

  /** Shortens the limit of each statement until the next call, because the caller has already waited. */
  shorten(limitMs: number): void {
    if (this.usualLimitMs !== null) this.limitMs = Math.min(this.usualLimitMs, limitMs);
  }

  /** Returns a function to call when the response arrives. */
  private watch(limitMs: number | null): () => void {
    this.running++;
    let isOpen = true;
    const timer =
      limitMs === null
        ? undefined
        : // A response may have arrived while this process was busy; read it first.
          setTimeout(() => setImmediate(() => isOpen && this.giveUp(limitMs)), limitMs);
    return () => {
      isOpen = false;
      clearTimeout(timer);
      this.running--;
      this.heardAt = performance.now();
    };
  }

  private giveUp(limitMs: number): void {
    const lately = performance.now() - limitMs / 2;
    this.breakOff(limitMs);
    for (const peer of this.peers) if (peer.running === 0 && peer.heardAt < lately) peer.breakOff(limitMs);
  }

  private breakOff(limitMs: number): void {
    this.connection.stream.destroy(
      new UnansweredStatement(`The database did not answer within ${limitMs} ms`),
    );
  }
}
