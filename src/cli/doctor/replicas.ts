import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { Config } from '../../platform/config/config.js';
import { dataSourceOptions } from '../../platform/database/data-source.js';
import { appliedMigrations } from '../../platform/database/schema/migrate.js';
import { type Position, POSITION } from '../../platform/database/replicas/replica-position.js';
import { type Finding, finding, reasonOf } from './finding.js';

const CONNECT_TIMEOUT_MS = 5_000;
const PAUSE_MS = 5;

/** Replay progress of a server, compared with the position $1. */
const STATE = `SELECT pg_is_in_recovery() AS "isInRecovery", current_database()::text AS database,
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  coalesce(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0)::float8 AS "behindBytes",
  extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 AS "ageSeconds"`;

interface ReplicaState {
  isInRecovery: boolean;
  system: string;
  database: string;
  /** Zero or less: up to date. */
  behindBytes: number;
  /** Age of the last replayed change; null: none since the server started. */
  ageSeconds: number | null;
}

/** Explains why a server is not a replica of the database; null if it is. */
function whyNoReplica(state: ReplicaState, primary: Position): string | null {
  if (!state.isInRecovery) return 'is not a replica (it is not in recovery) and is not used';
  if (state.system !== primary.system) return 'is a replica of another server and is not used';
  if (state.database !== primary.database)
    return `is asked for another database, ${state.database}, and is not used`;
  return null;
}

/** Waits for the replica to catch up as long as a read would. */
async function stateOf(replica: DataSource, { position }: Position, waitMs: number): Promise<ReplicaState> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const [state] = await replica.query<ReplicaState[]>(STATE, [position]);
    if (!state) throw new Error('It did not answer.');
    if (!state.isInRecovery || state.behindBytes <= 0 || performance.now() >= deadline) return state;
    await sleep(PAUSE_MS);
  }
}

function progress(name: string, { behindBytes, ageSeconds }: ReplicaState, waitMs: number): Finding {
  if (behindBytes <= 0) return finding('ok', `${name} has everything that is committed`);
  const age = ageSeconds === null ? '' : ` (its last change is ${Math.round(ageSeconds)} s old)`;
  const size = `${Math.ceil(behindBytes / 1024)} KB of the log`;
  return finding(
    'warning',
    `${name} is ${size} behind${age} and did not catch up within ${waitMs} ms: the primary answers`,
  );
}

async function schemaOf(name: string, primary: DataSource, replica: DataSource): Promise<Finding> {
  const seen = new Set(await appliedMigrations(replica));
  const missing = (await appliedMigrations(primary)).filter((migration) => !seen.has(migration));
  return missing.length === 0
    ? finding('ok', `${name} has the same schema`)
    : finding('warning', `${name} has not replayed: ${missing.join(', ')}`);
}

async function examineReplica(
  primary: DataSource,
  { replicaWaitMs }: Config,
  url: string,
  name: string,
): Promise<Finding[]> {
  const replica = new DataSource({
    ...dataSourceOptions({ url, poolSize: 1 }),
    entities: [],
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
  });
  try {
    await replica.initialize();
    const [position] = await primary.query<Position[]>(POSITION);
    if (!position) throw new Error('The database did not report its position.');
    const state = await stateOf(replica, position, replicaWaitMs);
    const wrong = whyNoReplica(state, position);
    if (wrong !== null) return [finding('failure', `${name} ${wrong}`)];
    return [progress(name, state, replicaWaitMs), await schemaOf(name, primary, replica)];
  } catch (error) {
    return [finding('failure', `${name} cannot be used: ${reasonOf(error)}`)];
  } finally {
    if (replica.isInitialized) await replica.destroy();
  }
}

/** Checks the servers of SERVICE_DATABASE_REPLICA_URLS, named by position, because a URL may contain a password. */
export async function examineReplicas(primary: DataSource, config: Config): Promise<Finding[]> {
  const findings = config.replicaUrls.map((url, index) =>
    examineReplica(primary, config, url, `Replica ${index + 1} (${new URL(url).host})`),
  );
  return (await Promise.all(findings)).flat();
}
