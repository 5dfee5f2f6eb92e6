import type { DataSource } from 'typeorm';
import { citusVersion } from '../../platform/database/citus/distributed-tables.js';
import { tablePlaces } from '../../platform/database/citus/distribution.js';
import { type Finding, finding } from './finding.js';

const MIN_MAJOR = 13;
/** Moving shards needs them. */
const MIN_WORKER_PROCESSES = 32;
const MAX_APART_MS = 1_000;

/** One answer of each node, as text. */
async function onAllNodes(dataSource: DataSource, command: string): Promise<string[]> {
  const rows = await dataSource.query<{ result: string }[]>(
    'SELECT result FROM run_command_on_all_nodes($1)',
    [command],
  );
  return rows.map(({ result }) => result);
}

async function examineNodes(dataSource: DataSource): Promise<Finding[]> {
  const findings: Finding[] = [];
  const clocks = await onAllNodes(
    dataSource,
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  );
  const apart = Math.max(...clocks.map(Number)) - Math.min(...clocks.map(Number));
  findings.push(
    finding(
      apart > MAX_APART_MS ? 'warning' : 'ok',
      `The clocks of ${clocks.length} nodes are ${apart} ms apart`,
    ),
  );
  const processes = await onAllNodes(dataSource, "SELECT current_setting('max_worker_processes')");
  if (processes.some((number) => Number(number) < MIN_WORKER_PROCESSES)) {
    findings.push(
      finding(
        'warning',
        `max_worker_processes is less than ${MIN_WORKER_PROCESSES}: shards may be moved slowly`,
      ),
    );
  }
  return findings;
}

async function examineTables(dataSource: DataSource): Promise<Finding> {
  const places = await tablePlaces(dataSource);
  const missing = places.filter(({ isDistributed }) => !isDistributed).map(({ table }) => table);
  const [unfinished] = await dataSource.query<{ name: string | null }[]>(
    `SELECT to_regclass('distribution_steps') AS name`,
  );
  if (missing.length === 0 && unfinished?.name) {
    return finding('failure', 'Some triggers and foreign keys are missing: run "tenure distribute"');
  }
  if (missing.length > 0) {
    const left = missing.length === places.length ? 'No table is' : `Not all tables are`;
    return finding('failure', `${left} distributed, run "tenure distribute": ${missing.join(', ')}`);
  }
  const numbers = new Map<string, number>();
  for (const { kind } of places) numbers.set(kind, (numbers.get(kind) ?? 0) + 1);
  const kinds = [...numbers].map(([kind, number]) => `${number} ${kind}`).join(', ');
  return finding('ok', `All tables are distributed (${kinds})`);
}

/** Finds nothing on a PostgreSQL without Citus. */
export async function examineCitus(dataSource: DataSource): Promise<Finding[]> {
  const version = await citusVersion(dataSource);
  if (version === null) return [];
  const isKnown = Number.parseInt(version, 10) >= MIN_MAJOR;
  return [
    finding(
      isKnown ? 'ok' : 'failure',
      `Citus ${version}${isKnown ? '' : `; ${MIN_MAJOR} or later is needed`}`,
    ),
    ...(await examineNodes(dataSource)),
    await examineTables(dataSource),
  ];
}
