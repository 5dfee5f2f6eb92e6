import pg from 'pg';
import type { dataSourceOptions } from '../data-source.js';
import type { ReplicasService } from './replicas.service.js';

type PostgresOptions = ReturnType<typeof dataSourceOptions>;
type Connected = (error?: unknown, client?: pg.PoolClient, release?: pg.PoolClient['release']) => void;

/** No replica is up to date, so the primary must run the read. */
export class NoFreshReplica extends Error {
  constructor() {
    super('No replica has everything that is committed');
  }
}

/** TypeORM's pool for its one slave, backed by all replicas. It returns connections to an up-to-date replica. */
class ReplicaPool {
  private isTried = false;

  constructor(private readonly replicas: ReplicasService) {
    replicas.open();
  }

  /** The replicas' own pools handle broken idle connections. */
  on(): void {}

  connect(connected: Connected): void {
    if (this.isTried) {
      void this.take(connected);
      return;
    }
    // TypeORM connects once at start as a test, which does not concern replicas.
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
 * Options of a data source that reads from replicas only through query runners with mode `slave`. Those fail with
 * `NoFreshReplica` if the primary must run the read. Without replicas the options are unchanged.
 */
export function withReplicas(options: PostgresOptions, replicas: ReplicasService): PostgresOptions {
  if (replicas.count === 0) return options;
  return {
    ...options,
    driver: {
      // TypeORM creates its pools with this. Only the primary has an address.
      Pool: function (settings: pg.PoolConfig) {
        return settings.connectionString === undefined
          ? new ReplicaPool(replicas)
          : replicas.follow(new pg.Pool(settings));
      },
    },
    replication: { master: { url: options.url }, slaves: [{}], defaultMode: 'master' },
  };
}
