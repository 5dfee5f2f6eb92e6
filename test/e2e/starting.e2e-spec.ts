import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { MIGRATION_LOCK } from '../../src/platform/database/schema/migrate.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { freePort } from '../support/free-port.mjs';
import { MAIN, type Program, startProgram, until } from '../support/program.js';

interface Heard {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

describe.each([
  ['a process', {}],
  ['several processes', { SERVICE_WORKERS: '2' }],
])('while %s start', (_, several) => {
  let database: TestDatabase;
  let holder: pg.Client;
  let server: Program;
  let port: number;

  beforeEach(async () => {
    database = await createTestDatabase();
    // Simulates another process that is migrating; the server waits for it.
    holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    port = await freePort();
    server = await startProgram([MAIN], {
      ...databaseSettings(database.url),
      PORT: String(port),
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'warn',
      ...several,
    });
  });

  afterEach(async () => {
    await server.kill();
    await holder.end();
    await database.drop();
  });

  function ask(path: string, { method = 'GET', headers = {}, body = '', agent = new Agent() } = {}) {
    return new Promise<Heard>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, method, headers, agent }, (response) => {
        const { statusCode: status = 0, headers: received } = response;
        void text(response).then((answer) => resolve({ status, headers: received, body: answer }), reject);
      });
      sent.on('error', reject).end(body);
    });
  }

  const isUp = (): Promise<boolean> =>
    ask('/healthz').then(
      () => true,
      () => false,
    );

  it('answers so on /healthz, and all else with a 503 that clients understand', async () => {
    await until(isUp);
    const health = await ask('/healthz?x=1');
    expect([health.status, JSON.parse(health.body)]).toEqual([200, { status: 'starting' }]);
    expect(health.headers['content-type']).toMatch(/^application\/json/);
    expect((await ask('/healthz', { method: 'HEAD' })).status).toBe(200);

    const ready = await ask('/readyz');
    expect([ready.status, ready.headers['retry-after']]).toEqual([503, '2']);
    expect(JSON.parse(ready.body)).toEqual({
      object: 'error',
      type: 'server_error',
      message: 'The server is starting.',
      doc_url: `http://localhost:${port}/docs/errors/server-error`,
      retryable: true,
      backoff_ms: 2_000,
    });

    const receipt = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"fetch_token":',
    };
    for (const [path, options] of [
      ['/v1/receipts', receipt],
      ['/v1/receipts', { ...receipt, body: 'x'.repeat(12 * 1024 * 1024) }],
      ['/v1/subscribers/ada', {}],
      ['/v1/no/such/route', { method: 'DELETE' }],
    ] as const) {
      const { status, headers, body } = await ask(path, options);
      expect([path, status, headers['retry-after']]).toEqual([path, 503, '2']);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(JSON.parse(body)).toEqual({ code: 7110, message: 'The server is starting.' });
    }
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const path of ['/', '/projects', '/docs']) {
      const { status, headers, body } = await ask(path, { headers: { accept } });
      expect([path, status, headers['content-type']]).toEqual([path, 503, 'text/html; charset=utf-8']);
      expect(body).toContain('<meta http-equiv="refresh" content="2">');
    }
    const sdkCall = await ask('/v1/subscribers/ada', { headers: { accept } });
    expect(JSON.parse(sdkCall.body)).toMatchObject({ code: 7110 });
    const login = await ask('/auth/login', { method: 'POST' });
    expect([login.status, JSON.parse(login.body)]).toEqual([
      503,
      { type: 'server_error', message: 'The server is starting.', retry_after: 2 },
    ]);
    const preflight = await ask('/v1/receipts', {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'authorization' },
    });
    expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      'authorization',
    ]);
  });

  it('keeps the port open until they serve, and loses no request', async () => {
    await until(isUp);
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    const heard: Heard[] = [];
    let isOver = false;
    const asking = [undefined, kept].map(async (agent) => {
      while (!isOver) heard.push(await ask('/readyz', { agent }));
    });
    const seen = heard.length;
    await until(() => heard.length > seen + 20);
    await holder.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
    await until(() => heard.some(({ status }) => status === 200));
    // Also those that came by a connection of the start.
    const [first] = [await ask('/healthz', { agent: kept })];
    expect(JSON.parse(first.body)).toEqual({ status: 'ok' });
    isOver = true;
    await Promise.all(asking);
    kept.destroy();
    for (const { status, headers, body } of heard) {
      expect([200, 503]).toContain(status);
      if (status === 503) expect(headers['retry-after']).toBeDefined();
      expect(JSON.parse(body)).toEqual(expect.any(Object));
    }
    const afterwards = heard.slice(heard.findIndex(({ status }) => status === 200));
    const isOne = !('SERVICE_WORKERS' in several);
    // The second of several may still be on its way.
    if (isOne) expect(afterwards.every(({ status }) => status === 200)).toBe(true);
    process.kill(server.pid, 'SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.output()).not.toMatch(/Error/);
  });
});
