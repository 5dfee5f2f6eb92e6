import pg from 'pg';

/** How long (ms) a goodbye may take: a server that says nothing does not answer it either. */
const END_WITHIN_MS = 1_000;

type Run = (...args: unknown[]) => unknown;

/** A statement with a bound of its own (ms). */
export interface BoundedQuery extends pg.QueryConfig {
  limitMs?: number;
}

export interface BoundedClientOptions extends pg.ClientConfig {
  /** Most time (ms) that the answer to a statement may take which has no bound of its own; null: any. */
  limitMs?: number | null;
  /** All connections to the same server. */
  peers?: Set<BoundedClient>;
}

/** The server did not answer; the connection has been given up, and with it whatever was open on it. */
class UnansweredStatement extends Error {
  /** As of the network: whoever heeds a lost connection heeds this. */
  readonly code = 'ETIMEDOUT';
}

/**
 * A connection that ends when a statement is not answered in time. What is silent may be gone for good without a word (a
 * dead host, an address translation that was dropped), and a connection whose answer is still to come is of no use.
 * Idle connections to the same server that were not heard of lately end with it, rather than each with a request.
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
    // Between two statements nobody listens; the next one fails.
    this.on('error', () => undefined);
  }

  override query(...args: unknown[]): never {
    const [command] = args as [Partial<BoundedQuery> & { submit?: unknown }];
    const run = super.query.bind(this) as Run;
    // A stream has no one answer.
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

  /** Gives each statement less time than usual, until the next call: its caller has waited already. */
  shorten(limitMs: number): void {
    if (this.usualLimitMs !== null) this.limitMs = Math.min(this.usualLimitMs, limitMs);
  }

  /** Gives what is to be called with the answer. */
  private watch(limitMs: number | null): () => void {
    this.running++;
    let isOpen = true;
    const timer =
      limitMs === null
        ? undefined
        : // An answer that came while this process was busy is still to be read.
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
