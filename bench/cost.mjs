import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Settings of a database that counts statements. No checkpoint of a short run adds images of pages to the log. */
export const countingSettings = [
  'shared_preload_libraries=pg_stat_statements',
  'checkpoint_timeout=1h',
  'max_wal_size=16GB',
];

/** An idle connection of PostgreSQL reports its counters after up to 10 seconds. */
const REPORTED_AFTER_MS = 11_000;

const counters = `SELECT (SELECT json_object_agg(relname, n_tup_ins) FROM pg_stat_user_tables) AS rows,
  (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes"`;

/** Rows fewer than this for each request are of other work. */
const FEW_ROWS = 0.02;

/** Statements of the bench itself name a column `bench`. */
const statements = `SELECT sum(calls)::float8 AS calls, (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes"
  FROM pg_stat_statements WHERE query NOT LIKE '%bench%' AND query NOT LIKE '%pg_stat_%' AND query NOT LIKE '%isWaiting%'`;

const MS_PER_TICK = 10;

/** Processor time of a database so far (ms), ended connections included; null where the system does not report it. */
function databaseCpuMs(pid) {
  const ticksOf = (one) => {
    const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1].split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  };
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    const ticks = children.map((one) => {
      try {
        return ticksOf(one);
      } catch {
        // It has just ended; its parent counts it from then on.
        return 0;
      }
    });
    return ticks.reduce((sum, one) => sum + one, ticksOf(pid)) * MS_PER_TICK;
  } catch {
    return null;
  }
}

/** Whether the server still computes figures of earlier requests. */
const queues = `SELECT EXISTS (SELECT 1 FROM chart_changes) OR EXISTS (SELECT 1 FROM listed_customer_changes)
  AS "isWaiting"`;

/**
 * Measures the cost of requests: processor time of the server and of the database, inserted rows and bytes of
 * write-ahead log. `onDatabase` and `cpuMs` are those of `run.mjs`.
 */
export function costMeter({ onDatabase, cpuMs, databaseUrl, databasePid, serverPid }) {
  const settle = async () => {
    while (await onDatabase(databaseUrl, async (client) => (await client.query(queues)).rows[0].isWaiting)) {
      await pause(250);
    }
  };
  const readCounters = async () => {
    await pause(REPORTED_AFTER_MS);
    return onDatabase(databaseUrl, async (client) => (await client.query(counters)).rows[0]);
  };
  const readCpu = () => ({ server: cpuMs(serverPid), database: databaseCpuMs(databasePid) });

  const microsOf = (before, after, requests) =>
    before === null || after === null ? null : ((after - before) * 1000) / requests;
  const readNow = () => onDatabase(databaseUrl, async (client) => (await client.query(statements)).rows[0]);

  return {
    /** Lets a database with `countingSettings` count statements. */
    countStatements: () =>
      onDatabase(databaseUrl, (client) => client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')),
    /**
     * Figures of a short run, without waiting for the connections: processor time, log, statements and seconds of each
     * request, but not rows. `load` returns the number of its requests.
     */
    async measureNow(load) {
      await settle();
      const before = await readNow();
      const cpuBefore = readCpu();
      const startedAt = performance.now();
      const requests = await load();
      const seconds = (performance.now() - startedAt) / 1000;
      await settle();
      const cpuAfter = readCpu();
      const after = await readNow();
      return {
        serverMicros: microsOf(cpuBefore.server, cpuAfter.server, requests),
        databaseMicros: microsOf(cpuBefore.database, cpuAfter.database, requests),
        walBytes: (after.walBytes - before.walBytes) / requests,
        statements: (after.calls - before.calls) / requests,
        seconds: seconds / requests,
      };
    },
    /**
     * Runs `load`, which returns the number of its requests. All figures include what the server computes afterwards.
     * Rows and log also include what else it does until the connections have reported.
     */
    async measure(load) {
      await settle();
      const before = await readCounters();
      const cpuBefore = readCpu();
      const requests = await load();
      await settle();
      const cpuAfter = readCpu();
      const after = await readCounters();
      const rows = Object.entries(after.rows).map(([table, count]) => [
        table,
        (count - (before.rows[table] ?? 0)) / requests,
      ]);
      return {
        serverMicros: microsOf(cpuBefore.server, cpuAfter.server, requests),
        databaseMicros: microsOf(cpuBefore.database, cpuAfter.database, requests),
        insertedRows: rows.reduce((sum, [, count]) => sum + count, 0),
        rowsByTable: Object.fromEntries(rows.filter(([, count]) => count >= FEW_ROWS)),
        walBytes: (after.walBytes - before.walBytes) / requests,
      };
    },
  };
}

/** Columns of a table for `console.table`. */
export function costColumns(cost) {
  if (!cost) return {};
  return {
    'database us/req': cost.databaseMicros === null ? null : Math.round(cost.databaseMicros),
    'rows/req': Number(cost.insertedRows.toFixed(1)),
    'log B/req': Math.round(cost.walBytes),
  };
}
