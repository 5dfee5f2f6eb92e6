import type { DataSource } from 'typeorm';
import { systemClock } from '../../../libs/kernel/index.js';
import type { Config } from '../../platform/config/config.js';
import { settings } from '../../platform/config/config.schema.js';
import { examineDisk, examineOwner, examinePrivileges, examineWrites } from './access.js';
import { examineCitus } from './citus.js';
import { examineConnections } from './connections.js';
import { examineCredentials } from './credentials.js';
import { examineDirectUrl } from './direct-url.js';
import { examineExports } from './exports.js';
import { examineIndexes } from './indexes.js';
import { examineLocks } from './locks.js';
import { examineMailServer } from './mail-server.js';
import { examinePooler } from './pooler.js';
import { examineReplicas } from './replicas.js';
import { examinePartitions, examineTriggers } from './schema.js';
import { examineSqlAccess } from './sql-access.js';
import { type Finding, finding, reasonOf } from './finding.js';
import { migrationState } from '../migration-state.js';
import { tallySealedTexts } from '../sealed-texts.js';

type Check = (dataSource: DataSource, config: Config) => Promise<Finding[]>;

const MIN_VERSION = 150_000;
const CLOCK_WARNING_MS = 1_000;
const CLOCK_FAILURE_MS = 30_000;
/** Number of rows from which plans without statistics are harmful. */
const STATISTICS_FROM_ROWS = 1_000;

const version: Check = async (dataSource) => {
  const [row] = await dataSource.query<{ number: number; name: string }[]>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name`,
  );
  const isKnown = row !== undefined && row.number >= MIN_VERSION;
  return [
    finding(isKnown ? 'ok' : 'failure', `PostgreSQL ${row?.name}${isKnown ? '' : '; 15 or later is needed'}`),
  ];
};

const durability: Check = async (dataSource) => {
  const off = await dataSource.query<{ name: string }[]>(
    `SELECT name FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') AND setting = 'off'`,
  );
  if (off.length === 0) return [finding('ok', 'What is committed is on disk')];
  return off.map(({ name }) =>
    finding('failure', `${name} is off: a crash of the database may lose purchases`),
  );
};

const clock: Check = async (dataSource) => {
  const before = systemClock.nowMs();
  const [row] = await dataSource.query<{ nowMs: number }[]>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`,
  );
  const apart = Math.round(Math.abs((row?.nowMs ?? 0) - (before + systemClock.nowMs()) / 2));
  const level = apart > CLOCK_FAILURE_MS ? 'failure' : apart > CLOCK_WARNING_MS ? 'warning' : 'ok';
  return [finding(level, `The clocks of this machine and of the database are ${apart} ms apart`)];
};

const migrations: Check = async (dataSource) => {
  const { applied, pending, unknown } = await migrationState(dataSource);
  const findings = [];
  if (pending.length > 0)
    findings.push(finding('failure', `To be run by "tenure migrate": ${pending.join(', ')}`));
  if (unknown.length > 0) findings.push(finding('warning', `Of a newer version: ${unknown.join(', ')}`));
  return findings.length > 0
    ? findings
    : [finding('ok', `The schema is up to date (${applied.length} migrations)`)];
};

const statistics: Check = async (dataSource) => {
  const missing = await dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_stat_user_tables
     WHERE n_live_tup > $1 AND last_analyze IS NULL AND last_autoanalyze IS NULL ORDER BY relname`,
    [STATISTICS_FROM_ROWS],
  );
  if (missing.length === 0) return [finding('ok', 'The planner has statistics')];
  return [
    finding('warning', `No statistics yet, run ANALYZE: ${missing.map(({ name }) => name).join(', ')}`),
  ];
};

/** Reads the timeouts of the role or the database, because this connection has its own. */
const timeouts: Check = async (dataSource, { databaseTimeoutMs }) => {
  const short = await dataSource.query<{ name: string; ms: number }[]>(
    `SELECT name, reset_val::int AS ms FROM pg_settings
     WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout') AND reset_val::int BETWEEN 1 AND $1`,
    [databaseTimeoutMs],
  );
  const ours = `${settings.databaseTimeoutMs.variable} (${databaseTimeoutMs} ms)`;
  if (short.length === 0) return [finding('ok', `PostgreSQL has no timeout that is shorter than ${ours}`)];
  return short.map(({ name, ms }) =>
    finding(
      'warning',
      `${name} of PostgreSQL is ${ms} ms, not longer than ${ours}: requests fail before their time`,
    ),
  );
};

const secrets: Check = async (dataSource, config) => {
  if (config.encryptionKey === null)
    return [finding('failure', `${settings.encryptionKey.variable} is not set`)];
  const keys = { present: config.encryptionKey, other: config.otherEncryptionKey };
  const { present, other, closed } = await tallySealedTexts(dataSource, keys, { rotate: false });
  const findings = closed.map((name) => finding('failure', `The encryption key does not open ${name}`));
  if (other > 0)
    findings.push(finding('warning', `${other} secrets have the other key: run "tenure keys rotate"`));
  return findings.length > 0 ? findings : [finding('ok', `The encryption key opens all ${present} secrets`)];
};

const signing: Check = (_, config) =>
  Promise.resolve([
    config.signingKey === null
      ? finding('warning', `${settings.signingKey.variable} is not set: answers to the SDKs are not signed`)
      : finding('ok', 'Answers to the SDKs are signed'),
  ]);

const beforeSchema: [string, Check][] = [
  ['the version', version],
  ['durability', durability],
  ['writes', examineWrites],
  ['privileges', examinePrivileges],
  ['the disk', examineDisk],
  ['the clocks', clock],
  ['the migrations', migrations],
  ['connections', examineConnections],
  ['timeouts', timeouts],
  [settings.directDatabaseUrl.variable, examineDirectUrl],
  ['the pooler', examinePooler],
  ['read replicas', examineReplicas],
  ['signing', signing],
  ['mail', examineMailServer],
  ['exports', (_, config) => Promise.resolve(examineExports(config))],
];
const onSchema: [string, Check][] = [
  ['the owner', examineOwner],
  ['indexes', examineIndexes],
  ['triggers', examineTriggers],
  ['partitions', examinePartitions],
  ['locks', examineLocks],
  ['statistics', statistics],
  ['secrets', secrets],
  ['store credentials', examineCredentials],
  ['SQL access', examineSqlAccess],
  ['Citus', examineCitus],
];

/** A schema is checked even if its migrations cannot be read. */
async function isSchemaThere(dataSource: DataSource): Promise<boolean> {
  try {
    return (await migrationState(dataSource)).pending.length === 0;
  } catch {
    return true;
  }
}

/** Changes nothing. A failing check becomes a finding, and the others still run. */
export async function examine(dataSource: DataSource, config: Config): Promise<Finding[]> {
  const checks = (await isSchemaThere(dataSource)) ? [...beforeSchema, ...onSchema] : beforeSchema;
  const findings: Finding[] = [];
  for (const [what, check] of checks) {
    try {
      findings.push(...(await check(dataSource, config)));
    } catch (error) {
      findings.push(finding('failure', `This could not be examined: ${what} (${reasonOf(error)})`));
    }
  }
  return findings;
}
