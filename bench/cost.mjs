import { setTimeout as pause } from 'node:timers/promises';

/** An idle connection of PostgreSQL reports its counters after up to 10 seconds. */
const REPORTED_AFTER_MS = 11_000;

const counters = `SELECT (SELECT sum(n_tup_ins)::float8 FROM pg_stat_user_tables) AS rows,
  (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes"`;

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
  const readCpu = () => ({ server: cpuMs(serverPid), database: cpuMs(databasePid) });

  return {
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
      const microsOf = (who) => ((cpuAfter[who] - cpuBefore[who]) * 1000) / requests;
      return {
        serverMicros: microsOf('server'),
        databaseMicros: microsOf('database'),
        insertedRows: (after.rows - before.rows) / requests,
        walBytes: (after.walBytes - before.walBytes) / requests,
      };
    },
  };
}

/** Columns of a table for `console.table`. */
export function costColumns(cost) {
  if (!cost) return {};
  return {
    'database us/req': Math.round(cost.databaseMicros),
    'rows/req': Number(cost.insertedRows.toFixed(1)),
    'log B/req': Math.round(cost.walBytes),
  };
}
