import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startDatabase } from './database.mjs';
import { withMemory } from './memory.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_799;
const POLL_MS = 100;
const MB = 1024 ** 2;
const SLOW_BYTES_PER_S = MB;
/** Rows of each customer, as of a customer who pays monthly. */
const ROWS_OF_CUSTOMER = 10;
/** Servers write their statistics once a second. */
const STATISTICS_MS = 2_500;

/** Copies of a customer ($2), with the sequence numbers from $3 to $4. $1: project. */
const moreCustomers = `
  INSERT INTO report_customers SELECT made.* FROM report_customers c
  CROSS JOIN generate_series($3::int / ${ROWS_OF_CUSTOMER}, $4::int / ${ROWS_OF_CUSTOMER}) n
  CROSS JOIN LATERAL jsonb_populate_record(c, jsonb_build_object('customer_id', 'copy' || n,
    'original_app_user_id', md5(n::text), 'last_seen_app_user_id', md5(n::text), 'aliases', ARRAY[md5(n::text)],
    'seq', n * ${ROWS_OF_CUSTOMER}, 'tx_seq', n * ${ROWS_OF_CUSTOMER})) made
  WHERE c.project_id = $1 AND c.customer_id = $2 ON CONFLICT DO NOTHING`;

/** Copies of a transaction ($2). */
const moreTransactions = `
  INSERT INTO report_transactions SELECT made.* FROM report_transactions t CROSS JOIN generate_series($3::int, $4::int) n
  CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object('purchase_id', 'copy' || n,
    'customer_id', 'copy' || n / ${ROWS_OF_CUSTOMER}, 'store_transaction_id', md5('t' || n), 'renewal_number', n % 12 + 1,
    'start_time', t.start_time - n % 1000 * interval '1 day', 'seq', n)) made
  WHERE t.project_id = $1 AND t.purchase_id = $2`;

/** An S3 store that takes whatever comes, `bytesPerS` at most. */
async function startStore(bytesPerS) {
  let parts = 0;
  const server = createServer(async (request, response) => {
    for await (const chunk of request) await pause((chunk.length / bytesPerS) * 1_000);
    response.setHeader('etag', `"${++parts}"`);
    const isStart = request.method === 'POST' && request.url.includes('uploads');
    if (isStart)
      response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>');
    else if (request.method === 'POST')
      response.end('<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>');
    else if (request.method === 'HEAD' || request.method === 'GET') response.writeHead(404).end();
    else response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** How much memory of the server something takes beside what it has, and how long. */
async function measured(server, rssMb, work) {
  const startedAt = performance.now();
  const { result: bytes, beforeMb, mostMb } = await withMemory(server.pid, rssMb, work);
  return {
    seconds: Number(((performance.now() - startedAt) / 1_000).toFixed(1)),
    MB: Math.round(bytes / MB),
    'memory before': beforeMb,
    'memory more': mostMb - beforeMb,
  };
}

class World {
  constructor(tools, database, folder) {
    Object.assign(this, { tools, database, folder, url: `http://127.0.0.1:${PORT}` });
    this.client = new pg.Client({ connectionString: database.url });
  }

  /** A server of its own for each figure of memory: a process keeps what it once took. */
  async withServer(work) {
    const { nodeOn, until } = this.tools;
    const server = startServer(nodeOn, {
      database: this.database,
      port: PORT,
      env: { SERVICE_EXPORT_DIR: this.folder, SERVICE_ALLOW_PRIVATE_NETWORKS: 'true' },
    });
    try {
      await until('the server', async () => (await fetch(`${this.url}/readyz`)).ok);
      return await work(server);
    } finally {
      server.kill('SIGTERM');
      await once(server, 'close');
    }
  }

  async post(route, body = {}) {
    const path = `${this.world.path}/integrations/exports${route}`;
    return (await call(this.url, 'POST', path, this.world.backendHeaders, body)).json;
  }

  async get(route) {
    const path = `${this.world.path}/integrations/exports${route}`;
    return (await call(this.url, 'GET', path, this.world.backendHeaders)).json;
  }

  async createExport(kind, format, place = {}) {
    const name = `${kind} ${format}`;
    const destination = await this.post('/destinations', {
      name,
      kind,
      prefix: `${kind}/${format}`,
      ...place,
    });
    const { id } = await this.post('', {
      name,
      destination_id: destination.id,
      datasets: [{ name: 'transactions', version: 5 }],
      format,
      environment: 'all',
      schedule: { frequency: 'manual' },
    });
    return id;
  }

  /** Runs an export. Returns the run. */
  async run(id, body = {}) {
    let run = await this.post(`/${id}/actions/run`, body);
    while (!['succeeded', 'failed'].includes(run.state)) {
      await pause(POLL_MS);
      run = await this.get(`/${id}/runs/${run.id}`);
    }
    if (run.state === 'failed') throw new Error(`${run.error.code}: ${run.error.message}`);
    return run;
  }

  async download(format) {
    const path = `${this.world.path}/integrations/exports/download?dataset=transactions&version=5&environment=all&format=${format}`;
    const answer = await fetch(this.url + path, { headers: this.world.backendHeaders });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    let bytes = 0;
    for await (const chunk of answer.body) bytes += chunk.length;
    return bytes;
  }

  /** Builds the rows of a customer who bought, to be copied. */
  async prepare() {
    await this.client.connect();
    await this.withServer(async () => {
      this.world = await buildWorld(this.url, 10, null);
      this.exports = {
        csv: await this.createExport('local', 'csv'),
        parquet: await this.createExport('local', 'parquet'),
      };
      await this.run(this.exports.csv);
    });
    const { rows } = await this.client.query(
      'SELECT customer_id AS customer, purchase_id AS purchase FROM report_transactions WHERE project_id = $1 LIMIT 1',
      [this.world.projectId],
    );
    this.template = rows[0];
    this.rows = 1_000;
  }

  /** Adds copies until there are `count` rows. */
  async grow(count) {
    const { customer, purchase } = this.template;
    const values = (template) => [this.world.projectId, template, this.rows, count - 1];
    await this.client.query(moreCustomers, values(customer));
    await this.client.query(moreTransactions, values(purchase));
    await this.client.query('UPDATE report_projects SET seq = $2 WHERE project_id = $1', [
      this.world.projectId,
      count,
    ]);
    await this.client.query('VACUUM ANALYZE');
    this.rows = count;
  }

  /** The time that PostgreSQL and gzip take for the same rows (s). */
  async copySeconds() {
    const startedAt = performance.now();
    await this.client
      .query(`COPY (SELECT * FROM report_transactions t JOIN report_customers c USING (project_id, customer_id)
      WHERE t.project_id = '${this.world.projectId}') TO PROGRAM 'gzip -6 > /dev/null' (FORMAT csv, HEADER)`);
    return (performance.now() - startedAt) / 1_000;
  }

  /** Blocks that all sessions read while `work` runs. */
  async blocks(work) {
    const read = async () => {
      await pause(STATISTICS_MS);
      const { rows } = await this.client.query(
        'SELECT sum(blks_hit + blks_read)::int AS blocks FROM pg_stat_database WHERE datname = current_database()',
      );
      return rows[0].blocks;
    };
    const before = await read();
    await work();
    return (await read()) - before;
  }
}

async function measureMemory(world, { rssMb, log, slow }) {
  const table = [];
  const add = async (what, work) => {
    const row = await world.withServer(async (server) => {
      await pause(STATISTICS_MS);
      return measured(server, rssMb, work);
    });
    table.push({ rows: world.rows, what, ...row });
    log(`${world.rows} rows, ${what}: ${row.seconds} s, ${row['memory more']} MB of memory`);
    return row;
  };
  const bytesOf = (run) => run.bytes;
  for (const format of ['csv', 'parquet']) {
    const run = () => world.run(world.exports[format], { mode: 'full' }).then(bytesOf);
    const { seconds } = await add(`run, ${format}`, run);
    if (format === 'csv') {
      const copied = await world.copySeconds();
      console.log(
        `${world.rows} rows as CSV: ${(seconds / copied).toFixed(2)} times COPY and gzip (${copied.toFixed(1)} s)`,
      );
    }
    await add(`download, ${format}`, () => world.download(format));
    if (slow)
      await add(`run to a store of 1 MB/s, ${format}`, () =>
        world.run(slow[format], { mode: 'full' }).then(bytesOf),
      );
  }
  return table;
}

/** Blocks of a run of which one row in a hundred is new, and of a full one. */
async function measureIncremental(world) {
  const id = world.exports.csv;
  await world.withServer(async () => {
    await world.run(id, { mode: 'full' });
    const values = [world.world.projectId, world.rows];
    await world.client.query(
      'UPDATE report_transactions SET seq = seq + $2 WHERE project_id = $1 AND seq % 100 = 0 AND seq <= $2',
      values,
    );
    await world.client.query('UPDATE report_projects SET seq = 2 * $2::int WHERE project_id = $1', values);
    await world.client.query('VACUUM report_transactions');
    const incremental = await world.blocks(async () => {
      const run = await world.run(id);
      if (run.mode !== 'incremental') throw new Error(`the run was ${run.mode}: ${run.mode_reason}`);
      console.log(`incremental run: ${run.rows} of ${world.rows} rows`);
    });
    const full = await world.blocks(() => world.run(id, { mode: 'full' }));
    console.log(
      `incremental run: ${incremental} blocks, ${((incremental / full) * 100).toFixed(1)} % of a full one`,
    );
  });
}

/** The 99th percentile of receipts during a full run, against that without one. */
async function measureReceipts(world, { loadOnce, pairs }) {
  await world.withServer(async () => {
    const plan = {
      kind: 'receipts',
      url: world.url,
      headers: { ...world.world.sdkHeaders, 'content-type': 'application/json' },
      productId: 'pro_monthly',
      connections: 4,
      customers: 10,
      seconds: 3,
    };
    const load = async () => (await loadOnce(plan)).p99;
    await load();
    const ratios = [];
    for (let pair = 0; pair < pairs; pair++) {
      const during = async () => {
        let isOver = false;
        const going = (async () => {
          while (!isOver) await world.run(world.exports.csv, { mode: 'full' });
        })();
        const p99 = await load();
        isOver = true;
        await going;
        return p99;
      };
      const [first, second] = pair % 2 === 0 ? [load, during] : [during, load];
      const [one, other] = [await first(), await second()];
      ratios.push(pair % 2 === 0 ? other / one : one / other);
    }
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => percentile(ratios, share).toFixed(2));
    console.log(`p99 of receipts during a full run, ${pairs} pairs (quartiles): ${low} ${middle} ${high}`);
  });
}

/**
 * Exports and downloads of the transactions of a project with `rows` rows and a tenth of them: memory of the server, time
 * beside COPY and gzip, blocks of an incremental run, and receipts meanwhile.
 */
export async function benchDatasets(tools, { rows, pairs, isSlow }) {
  const database = await startDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-exports-'));
  const world = new World(tools, database, folder);
  const store = await startStore(SLOW_BYTES_PER_S);
  try {
    await world.prepare();
    let slow = null;
    if (isSlow) {
      const s3 = { bucket: 'bench', endpoint: store.url, access_key_id: 'bench', secret_access_key: 'bench' };
      await world.withServer(async () => {
        slow = {
          csv: await world.createExport('s3', 'csv', { s3 }),
          parquet: await world.createExport('s3', 'parquet', { s3 }),
        };
      });
    }
    const table = [];
    for (const count of [rows / 10, rows]) {
      await world.grow(count);
      table.push(...(await measureMemory(world, { ...tools, slow })));
      if (count < rows) await measureReceipts(world, { ...tools, pairs });
    }
    console.table(table);
    await measureIncremental(world);
  } finally {
    store.stop();
    await world.client.end().catch(() => undefined);
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
