import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { Registry } from 'prom-client';
import type { Answer as Answered, Json } from '../support/api-client.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const SLOTS = 4;

/** Bodies that begin and do not end: anybody can send such, without a credential. */
describe('bodies that do not arrive', () => {
  let server: TestServer;
  let store: TestStore;
  const open: ClientRequest[] = [];

  async function start(env: NodeJS.ProcessEnv): Promise<void> {
    server = await startTestServer({
      env: {
        SERVICE_ROLE: 'api',
        SERVICE_TRUST_PROXY: '1',
        SERVICE_MAX_REQUESTS_IN_FLIGHT: String(SLOTS),
        ...env,
      },
    });
    store = await createTestStore(server);
  }

  afterEach(async () => {
    for (const call of open.splice(0)) call.destroy();
    await server.close();
  });

  interface Answer {
    status: number;
    headers: IncomingMessage['headers'];
    body: Json;
  }

  /** A request that announces more than it sends. */
  function begin(path: string, ip: string): { answer: Promise<Answer> } {
    const call = httpRequest(server.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 2000, 'x-forwarded-for': ip },
    });
    open.push(call);
    const answer = new Promise<Answer>((resolve, reject) => {
      call.on('error', reject);
      call.on('response', (response) => {
        const { statusCode: status = 0, headers } = response;
        json(response).then((body) => resolve({ status, headers, body }), reject);
      });
    });
    answer.catch(() => undefined);
    call.write('{');
    return { answer };
  }

  async function metric(name: string): Promise<number> {
    const { values } = await server.app.get(Registry).getSingleMetric(name)!.get();
    return values[0]!.value;
  }

  async function untilArriving(count: number): Promise<void> {
    while ((await metric('tenure_http_bodies_arriving')) < count) await new Promise(setImmediate);
  }

  it('blocks no purchase and no sign-in', async () => {
    await start({ SERVICE_BODY_TIMEOUT_MS: '120000' });
    for (let index = 0; index < 10 * SLOTS; index++) {
      begin(index % 2 === 0 ? '/v1/receipts' : '/auth/login', `192.0.2.${index}`);
    }
    await untilArriving(10 * SLOTS);
    expect(await metric('tenure_http_requests_in_flight')).toBe(0);
    expect((await store.sdk.post('/v1/receipts', testReceipt('buyer'))).status).toBe(200);
    const login = await server.http.post('/auth/login', {
      email: 'nobody@example.com',
      password: 'a password',
    });
    expect(login.status).toBe(401);
  });

  it('answers 503, also to people, once nothing has come for the timeout', async () => {
    await start({ SERVICE_BODY_TIMEOUT_MS: '100' });
    const [receipt, login] = await Promise.all([
      begin('/v1/receipts', '192.0.2.1').answer,
      begin('/auth/login', '192.0.2.1').answer,
    ]);
    // After a 4xx a phone would finish its purchase.
    expect([receipt.status, receipt.body.code, receipt.headers.connection]).toEqual([503, 7110, 'close']);
    expect(Number(receipt.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect([login.status, login.body.type]).toEqual([503, 'server_error']);
    expect(await metric('tenure_http_bodies_arriving')).toBe(0);
    expect(await metric('tenure_http_bodies_dropped_total')).toBe(2);
    expect(await metric('tenure_http_requests_in_flight')).toBe(0);
  });

  it('drops them for new ones of their address, then for those of all', async () => {
    await start({
      SERVICE_BODY_TIMEOUT_MS: '120000',
      SERVICE_MAX_BODIES_ARRIVING: '4',
      SERVICE_MAX_BODIES_ARRIVING_PER_ADDRESS: '2',
    });
    const elsewhere = begin('/v1/receipts', '198.51.100.1');
    await untilArriving(1);
    const first = begin('/v1/receipts', '192.0.2.1');
    await untilArriving(2);
    begin('/v1/receipts', '192.0.2.1');
    await untilArriving(3);
    begin('/v1/receipts', '192.0.2.1');
    expect((await first.answer).status).toBe(503);
    begin('/v1/receipts', '198.51.100.2');
    await untilArriving(4);
    begin('/v1/receipts', '198.51.100.3');
    expect((await elsewhere.answer).status).toBe(503);
    expect(await metric('tenure_http_bodies_arriving')).toBe(4);
    expect((await store.sdk.post('/v1/receipts', testReceipt('buyer'))).status).toBe(200);
  });

  it('queues complete sign-ins separately, and refuses more than fit', async () => {
    await start({ SERVICE_MAX_REQUESTS_IN_FLIGHT: '100', SERVICE_DATABASE_POOL_SIZE: '40' });
    const holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE rate_limits IN ACCESS EXCLUSIVE MODE');
    const refused: Answered[] = [];
    const logins = Array.from({ length: 90 }, async (_, index) => {
      const account = { email: `${index}@example.com`, password: 'a password' };
      const answer = await server.http.post('/auth/login', account, {
        'x-forwarded-for': `192.0.2.${index}`,
      });
      if (answer.status === 503) refused.push(answer);
      return answer;
    });
    while (refused.length < 65) await new Promise(setImmediate);
    expect((await store.sdk.post('/v1/receipts', testReceipt('buyer'))).status).toBe(200);
    await holder.end();
    const others = (await Promise.all(logins)).filter(({ status }) => status !== 503);
    expect(others.map(({ status }) => status)).toEqual(Array(25).fill(401));
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // Refused requests have not used up an attempt.
    const hits = await server.dataSource.query(
      `SELECT count(*)::int AS count FROM rate_limits WHERE bucket LIKE 'sign_in_address:%'`,
    );
    expect(hits[0].count).toBe(others.length);
  });
});
