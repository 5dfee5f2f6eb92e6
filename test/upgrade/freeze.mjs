import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { call } from '../../bench/world.mjs';
import { buildFullWorld } from '../operations/data.mjs';
import { log, makeFolder, output, postgresPrograms, startPostgres } from '../operations/programs.mjs';
import { startServer } from '../operations/server.mjs';
import { buildOrExit } from '../../scripts/build.mjs';

/**
 * Writes `<version>.sql.gz`, a small database of this version made through its own API, and `<version>.json`: its keys, and
 * what this version answered. Run once, when a version is released; later versions upgrade it in the end-to-end suite.
 */
const CUSTOMERS = 12;
/** Nothing listens there: deliveries stay to be sent. */
const DOWN = 'http://127.0.0.1:9/hook';
const ASKED = ['customer-0', 'customer-11', 'collector', 'made', 'taker', 'refunded', 'named'];

await buildOrExit();
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const files = makeFolder();
const database = await startPostgres(join(files.folder, 'data'));
try {
  const server = await startServer(database.url);
  const { sdkHeaders, backendHeaders, path } = await buildFullWorld(server.url, CUSTOMERS, DOWN);
  await call(server.url, 'POST', '/v1/receipts', sdkHeaders, {
    app_user_id: 'told',
    fetch_token: `test_${Date.now()}_told`,
    product_id: 'pro_annual',
    currency: 'USD',
  });
  const madeAtMs = Date.now();
  const subscribers = {};
  for (const customer of ASKED) {
    const answer = await call(server.url, 'GET', `/v1/subscribers/${customer}`, sdkHeaders);
    subscribers[customer] = answer.json.subscriber;
  }
  const gold = await call(server.url, 'GET', '/v1/subscribers/collector/virtual_currencies', sdkHeaders);
  const webhooks = await call(server.url, 'GET', `${path}/integrations/webhooks`, backendHeaders);
  await server.stop();
  const dump = await output(join(postgresPrograms(), 'pg_dump'), [
    '--inserts',
    '--no-owner',
    '--no-privileges',
    `--dbname=${database.url}`,
  ]);
  // Commands that only psql understands.
  const sql = dump.replaceAll(/^\\.*\n/gm, '');
  const facts = {
    madeAtMs,
    path,
    sdkHeaders,
    backendHeaders,
    subscribers,
    virtualCurrencies: gold.json,
    webhooks: webhooks.json.items,
  };
  writeFileSync(new URL(`${version}.sql.gz`, import.meta.url), gzipSync(sql, { level: 9 }));
  writeFileSync(new URL(`${version}.json`, import.meta.url), `${JSON.stringify(facts, null, 2)}\n`);
  log(`${sql.length} characters of SQL`);
} finally {
  await database.stop();
  files.remove();
}
