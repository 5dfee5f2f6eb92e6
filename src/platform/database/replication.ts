import pg from 'pg';
import type { dataSourceOptions } from './data-source.js';
import type { Replicas } from './replicas.js';

type PostgresOptions = ReturnType<typeof dataSourceOptions>;
type Connected = (error?: unknown, client?: pg.PoolClient, release?: pg.PoolClient['release']) => void;

/** The primary has to answer. */
export class NoFreshReplica extends Error {
  constructor() {
    super('No replica holds everything that is committed');
  }
}

/** What TypeORM has as the pool of its one slave: all replicas. Its connections are to one that is fresh. */
class ReplicaPool {
  private isTried = false;

  constructor(private readonly replicas: Replicas) {
    replicas.open();
  }

  /** Idle connections that break are heard of by the pools of the replicas. */
  on(): void {}

  connect(connected: Connected): void {
    if (this.isTried) {
      void this.take(connected);
      return;
    }
    // TypeORM connects once to see whether it can start, which has nothing to do with replicas.
    this.isTried = true;
    connected(undefined, undefined, () => undefined);
  }

  end(ended: (error?: unknown) => void): void {
    this.replicas.end().then(() => ended(), ended);
  }

  private async take(connected: Connected): Promise<void> {
    try {
      const client = await this.replicas.takeFresh();
      if (client === null) throw new NoFreshReplica();
      connected(undefined, client, (error) => client.release(error));
    } catch (error) {
      connected(error);
    }
  }
}

/**
 * Options of a data source whose query runners of the mode `slave`, and nothing else, read from replicas. Those
 * connect with `NoFreshReplica` when the primary has to answer. Without replicas the options are as they were.
 */
export function withReplicas(options: PostgresOptions, replicas: Replicas): PostgresOptions {
  if (replicas.count === 0) return options;
  return {
    ...options,
    driver: {
      // What TypeORM makes its pools of. Only the primary has an address.
      Pool: function (settings: pg.PoolConfig) {
        return settings.connectionString === undefined
          ? new ReplicaPool(replicas)
          : replicas.follow(new pg.Pool(settings));
      },
    },
    replication: { master: { url: options.url }, slaves: [{}], defaultMode: 'master' },
  };
}
