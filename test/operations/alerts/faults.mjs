import { fileURLToPath } from 'node:url';
import { receiptOf } from '../../chaos/load.mjs';
import { endConnections, monthAfter, openAmazonShop, repeatedly } from './fault-helpers.mjs';
import { pause } from './stage.mjs';

const CLOCK_AHEAD = fileURLToPath(new URL('clock-ahead.mjs', import.meta.url));

/**
 * Each with the alerts that it must fire. `cause` begins it and gives what ends it. Those in the background continue while
 * others are tried.
 */
export const faults = [
  {
    what: 'the role loses its rights on the table of the daily check',
    alerts: ['TenureTableUnusable', 'TenureJobNeverSucceeds'],
    inBackground: true,
    async cause({ sql, role }) {
      await sql.query(`REVOKE ALL ON self_checks FROM ${role}`);
      return () => sql.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON self_checks TO ${role}`);
    },
  },
  {
    what: "next month's partition of audit_logs is dropped, and the role may not make it",
    alerts: ['TenureNextMonthWithoutPartition'],
    inBackground: true,
    async cause({ sql }) {
      const { rows } = await sql.query(
        `SELECT c.oid::regclass::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'audit_logs'::regclass
           AND pg_get_expr(c.relpartbound, c.oid) LIKE 'FOR VALUES FROM (''' || $1 || '%'`,
        [monthAfter(new Date())],
      );
      await sql.query(`DROP TABLE ${rows[0].name}`);
      return () => undefined;
    },
  },
  {
    what: 'a webhook whose receiver is gone (port closed)',
    alerts: ['TenureWebhookEndpointsFailing'],
    inBackground: true,
    async cause({ post }) {
      await post('/integrations/webhooks', { name: 'gone', url: 'http://127.0.0.1:9/hook' });
      return () => undefined;
    },
  },
  {
    what: 'the only worker is killed; what is due is dated back by 20 minutes',
    alerts: ['TenureDown', 'TenureDueWorkStuck', 'TenureWebhooksStuck', 'TenureStoreQueueStuck'],
    async cause({ sql, fleet, worker, world }) {
      worker.process.kill('SIGKILL');
      worker.ready = false;
      await pause(1_000);
      const back = `now() - interval '20 minutes'`;
      await sql.query(
        `UPDATE subscriptions SET next_due_at = ${back} WHERE id IN (SELECT id FROM subscriptions LIMIT 5)`,
      );
      await sql.query(
        `UPDATE webhook_deliveries SET next_attempt_at = ${back}, lease_until = NULL WHERE status = 'pending'
           AND webhook_integration_id NOT IN (SELECT webhook_integration_id FROM webhook_circuits)`,
      );
      await sql.query(
        `INSERT INTO store_refreshes (project_id, app_id, environment, purchase_key, due_at)
         VALUES ($1, $2, 'production', 'x', ${back})`,
        [world.projectId, world.appId],
      );
      return async () => {
        await sql.query('DELETE FROM store_refreshes');
        await fleet.launch(worker);
      };
    },
  },
  {
    what: "another session holds the row of a project's report rows, and a mark is two hours old",
    alerts: ['TenureReportRowsStuck'],
    async cause({ sql, world }) {
      const values = [world.projectId];
      await sql.query(
        `INSERT INTO report_projects (project_id, enabled, code_version) VALUES ($1, true, 1)
         ON CONFLICT (project_id) DO UPDATE SET enabled = true`,
        values,
      );
      const client = await sql.connect();
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM report_projects WHERE project_id = $1 FOR UPDATE', values);
      await sql.query(
        `INSERT INTO report_changes (project_id, customer_id, changed_at)
         VALUES ($1, 'cus_none', now() - interval '2 hours')`,
        values,
      );
      return async () => {
        await client.query('ROLLBACK');
        client.release();
        await sql.query('UPDATE report_projects SET enabled = false');
      };
    },
  },
  {
    what: 'PostgreSQL is stopped',
    alerts: [
      'TenureNotReady',
      'TenureDatabaseUnreachable',
      'TenureProcessNotReady',
      'TenureReceiptsFailing',
      'TenureErrors',
      'TenureJobsFailing',
    ],
    async cause({ cluster }) {
      await cluster.crash();
      return () => cluster.recover();
    },
  },
  {
    what: 'a webhook answers with 200 after two seconds each time, under 10 events a second',
    alerts: ['TenureWebhooksSlow'],
    async cause({ receiver }) {
      const before = receiver.answer;
      receiver.answer = (response) => void pause(2_000).then(() => response.end());
      return () => (receiver.answer = before);
    },
  },
  {
    what: 'a worker with another SERVICE_ENCRYPTION_KEY',
    alerts: ['TenureWebhooksNotSent'],
    async cause({ restart, worker }) {
      await restart(worker, { SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64') });
      return () => restart(worker);
    },
  },
  {
    what: 'a worker whose clock is a minute ahead',
    alerts: ['TenureClockWrong'],
    async cause({ restart, worker }) {
      await restart(worker, { NODE_OPTIONS: `--import file://${CLOCK_AHEAD}` });
      return () => restart(worker);
    },
  },
  {
    what: 'a store refuses the shared secret of an app (a server in the place of Amazon answers 496)',
    alerts: ['TenureStoreCredentialsRefused'],
    async cause(stage) {
      stage.amazon.answer = (response) =>
        response.writeHead(496).end('{"message":"Invalid developer secret","status":false}');
      await (
        await openAmazonShop(stage, 'refused')
      )();
      return () => undefined;
    },
  },
  {
    what: 'a store answers with 500',
    alerts: ['TenureStoreUnreachable'],
    async cause(stage) {
      stage.amazon.answer = (response) => response.writeHead(500).end();
      return repeatedly(2_000, await openAmazonShop(stage, 'down'));
    },
  },
  {
    what: 'a table is locked by hand',
    alerts: ['TenureDatabaseConnectionsExhausted', 'TenureSlow'],
    async cause({ sql }) {
      const client = await sql.connect();
      await client.query('BEGIN; LOCK TABLE customers IN ACCESS EXCLUSIVE MODE');
      return async () => {
        await client.query('ROLLBACK');
        client.release();
      };
    },
  },
  {
    what: 'a process gets a third of a core, in turns of half a second',
    alerts: ['TenureEventLoopBlocked'],
    async cause({ api }) {
      const stop = repeatedly(250, async () => {
        api.process.kill('SIGSTOP');
        await pause(500);
        api.process.kill('SIGCONT');
      });
      return stop;
    },
  },
  {
    what: '600 requests at once, again and again, where a process takes 150',
    alerts: ['TenureRequestsRefused'],
    async cause({ fleet, world }) {
      const read = () =>
        fetch(`${fleet.first}/v1/receipts`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...world.sdkHeaders },
          body: JSON.stringify(receiptOf('crowd', 'coins')),
        }).then((answer) => answer.arrayBuffer());
      return repeatedly(100, () => Promise.allSettled(Array.from({ length: 600 }, read)));
    },
  },
  {
    what: 'the database is read-only (default_transaction_read_only)',
    alerts: ['TenureWritesImpossible'],
    async cause(stage) {
      await stage.sql.query('ALTER DATABASE alerts SET default_transaction_read_only = on');
      await endConnections(stage);
      return async () => {
        await stage.sql.query(
          'SET default_transaction_read_only = off; ALTER DATABASE alerts RESET default_transaction_read_only',
        );
        await endConnections(stage);
      };
    },
  },
  {
    what: 'a read replica that cannot be reached',
    alerts: ['TenureReplicasUnused'],
    async cause({ restart, api }) {
      await restart(api, { SERVICE_DATABASE_REPLICA_URLS: 'postgres://app:app@127.0.0.1:9/alerts' });
      return () => restart(api);
    },
  },
  {
    what: 'the facts of a subscription are overwritten by hand',
    alerts: ['TenureDueWorkFailing'],
    async cause({ sql }) {
      const { rows } = await sql.query('SELECT project_id, id, facts FROM subscriptions LIMIT 1');
      const [{ project_id: projectId, id, facts }] = rows;
      const write = (value) =>
        sql.query(
          'UPDATE subscriptions SET facts = $3, next_due_at = now() WHERE project_id = $1 AND id = $2',
          [projectId, id, JSON.stringify(value)],
        );
      await write('damaged');
      return () => write(facts);
    },
  },
  {
    what: 'the last attempt of deliveries to the webhook that is gone',
    alerts: ['TenureWebhooksGivenUp'],
    async cause({ sql }) {
      await sql.query(
        `UPDATE webhook_deliveries SET attempts = 5, next_attempt_at = now(), lease_until = NULL WHERE status = 'pending'
           AND webhook_integration_id IN (SELECT webhook_integration_id FROM webhook_circuits)`,
      );
      await sql.query('DELETE FROM webhook_circuits');
      return () => undefined;
    },
  },
  {
    what: 'access of customers is prolonged by hand in the tables',
    alerts: ['TenureStateDiffers'],
    async cause({ sql }) {
      await sql.query(`UPDATE subscriptions SET access_ends_at = access_ends_at + interval '1 year'`);
      return repeatedly(5_000, () =>
        sql.query(`UPDATE self_checks SET due_at = now(), after_customer_id = ''`),
      );
    },
  },
  {
    what: 'figures of charts are changed by hand in the tables',
    alerts: ['TenureChartsDiffer'],
    async cause({ sql }) {
      return repeatedly(5_000, async () => {
        await sql.query('UPDATE chart_facts SET revenue = coalesce(revenue, 0) + 1');
        await sql.query(`UPDATE chart_projects SET check_due_at = now(), checked_until = ''`);
      });
    },
  },
];
