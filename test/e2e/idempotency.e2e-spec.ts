import { jest } from '@jest/globals';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { IdempotentRequestsService } from '../../src/platform/idempotency/idempotent-requests.service.js';
import type { Answer, ApiClient } from '../support/api-client.js';
import { createSecretKey, type SignedUp, signUp } from '../support/arrange.js';
import { expireLeases } from '../support/leases.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';

const DAY_MS = 24 * 60 * 60_000;

let keys = 0;
const newKey = (): { 'idempotency-key': string } => ({ 'idempotency-key': `key ${++keys}` });

describe('a write under an Idempotency-Key', () => {
  let server: TestServer;
  let replica: TestServer;
  let owner: SignedUp;
  let backend: ApiClient;
  let onReplica: ApiClient;
  let authorization: string;
  let path: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    const { databaseUrl, clock } = server;
    replica = await startTestServer({ databaseUrl, clock, env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    owner = await signUp(server);
    const { key } = await createSecretKey(owner.session, owner.projectId);
    backend = server.http.withKey(key);
    onReplica = replica.http.withKey(key);
    authorization = `Bearer ${key}`;
    path = `/v2/projects/${owner.projectId}`;
  });

  afterAll(async () => {
    await replica.close();
    await server.close();
  });

  afterEach(() => jest.restoreAllMocks());

  const create = (lookupKey: string, headers: Record<string, string>, client = backend): Promise<Answer> =>
    client.post(`${path}/entitlements`, { lookup_key: lookupKey, display_name: 'Pro' }, headers);

  async function countOf(lookupKey: string): Promise<number> {
    const sql = 'SELECT count(*)::int AS count FROM entitlements WHERE project_id = $1 AND lookup_key = $2';
    const [row] = await server.dataSource.query(sql, [owner.projectId, lookupKey]);
    return row.count;
  }

  /** Runs `work` while every write of the project's catalog waits. */
  async function whileWritesWait(work: () => Promise<void>): Promise<void> {
    const runner = server.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [owner.projectId]);
    try {
      await work();
    } finally {
      await runner.commitTransaction();
      await runner.release();
    }
  }

  /** Comes back when so many statements of other connections wait for a lock. */
  async function untilWaiting(count: number): Promise<void> {
    const sql = `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    for (;;) {
      const [row] = await server.dataSource.query(sql);
      if (row.count >= count) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('runs once and returns the same answer for 24 hours, on every replica', async () => {
    const headers = newKey();
    const first = await create('once', headers);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    for (const client of [backend, onReplica]) {
      const again = await create('once', headers, client);
      expect([again.status, again.text, again.headers['content-type']]).toEqual([
        201,
        first.text,
        first.headers['content-type'],
      ]);
      expect(again.headers['idempotent-replayed']).toBe('true');
    }
    server.clock.advanceMs(DAY_MS - 1);
    expect((await create('once', headers)).text).toBe(first.text);
    expect(await countOf('once')).toBe(1);
    server.clock.advanceMs(1);
    const dayLater = await create('once', headers);
    expect([dayLater.status, dayLater.body.type]).toEqual([409, 'resource_already_exists']);
  });

  it('does not care how the same body is written down', async () => {
    const headers = newKey();
    const first = await backend.post(
      `${path}/entitlements`,
      { lookup_key: 'order', display_name: 'x' },
      headers,
    );
    const again = await backend.post(
      `${path}/entitlements`,
      { display_name: 'x', lookup_key: 'order' },
      headers,
    );
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it('answers 409 to another body, path, query or credential under the same key, and does nothing', async () => {
    const headers = newKey();
    await create('mine', headers);
    const other = (await createSecretKey(owner.session, owner.projectId)).client;
    const answers = [
      await create('other', headers),
      await backend.post(`${path}/offerings`, { lookup_key: 'mine', display_name: 'Pro' }, headers),
      await backend.post(`${path}/entitlements?x=1`, { lookup_key: 'mine', display_name: 'Pro' }, headers),
      await create('mine', headers, other),
      await create('mine', headers, owner.session),
    ];
    for (const { status, body } of answers) {
      expect([status, body.type, body.retryable]).toEqual([409, 'idempotency_error', false]);
    }
    expect(await countOf('other')).toBe(0);
  });

  it('keeps the keys of projects apart', async () => {
    const headers = newKey();
    await create('apart', headers);
    const stranger = await signUp(server);
    const strange = (await createSecretKey(stranger.session, stranger.projectId)).client;
    const answer = await strange.post(
      `/v2/projects/${stranger.projectId}/entitlements`,
      { lookup_key: 'apart', display_name: 'Pro' },
      headers,
    );
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('replays refusals that are final, too', async () => {
    const headers = newKey();
    const bad = await backend.post(`${path}/entitlements`, { lookup_key: '' }, headers);
    expect(bad.status).toBe(400);
    const again = await backend.post(`${path}/entitlements`, { lookup_key: '' }, headers);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([400, bad.text, 'true']);
    await create('taken', newKey());
    const taken = newKey();
    const conflict = await create('taken', taken);
    await server.dataSource.query('DELETE FROM entitlements WHERE project_id = $1 AND lookup_key = $2', [
      owner.projectId,
      'taken',
    ]);
    expect((await create('taken', taken)).text).toBe(conflict.text);
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['not printable', 'caf\u00e9'],
  ])('refuses a key that is %s', async (_, key) => {
    const { status, body } = await create('refused', { 'idempotency-key': key });
    expect([status, body.type, body.param]).toEqual([400, 'parameter_error', 'Idempotency-Key']);
    expect(await countOf('refused')).toBe(0);
  });

  it('takes a key of 255 characters', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(255) };
    const first = await create('long', headers);
    expect((await create('long', headers)).text).toBe(first.text);
  });

  it('asks for credential and permission before it looks at the key', async () => {
    const headers = newKey();
    await create('guarded', headers);
    expect((await create('guarded', headers, server.http)).status).toBe(401);
    const reader = await createSecretKey(owner.session, owner.projectId, [
      'project_configuration:entitlements:read',
    ]);
    expect((await create('guarded', headers, reader.client)).status).toBe(403);
  });

  it('leaves reads and deletions alone', async () => {
    const headers = newKey();
    const { body } = await create('deleted', headers);
    expect(
      (await backend.get(`${path}/entitlements/${body.id}`, headers)).headers['idempotent-replayed'],
    ).toBe(undefined);
    expect((await backend.delete(`${path}/entitlements/${body.id}`, headers)).status).toBe(200);
  });

  it('covers projects, by the person who makes one', async () => {
    const headers = newKey();
    const make = (client: ApiClient) => client.post('/v2/projects', { name: 'Second' }, headers);
    const first = await make(owner.session);
    expect((await make(owner.session)).text).toBe(first.text);
    const stranger = await signUp(server);
    expect((await make(stranger.session)).body.id).not.toBe(first.body.id);
  });

  it('changes a balance once', async () => {
    await backend.post(`${path}/virtual_currencies`, { code: 'GLD', name: 'Gold' });
    const customer = `${path}/customers/rich`;
    const { body: app } = await backend.post(`${path}/apps`, { name: 'App', type: 'test_store' });
    const keys = await backend.get(`${path}/apps/${app.id}/public_api_keys`);
    await server.http.withKey(keys.body.items[0].key).get('/v1/subscribers/rich');
    const headers = newKey();
    const adjust = (amount: number) =>
      backend.post(`${customer}/virtual_currencies/transactions`, { adjustments: { GLD: amount } }, headers);
    const first = await adjust(10);
    expect([first.status, first.body.items[0].balance]).toEqual([200, 10]);
    expect((await adjust(10)).text).toBe(first.text);
    expect((await adjust(11)).status).toBe(409);
    expect((await backend.get(`${customer}/virtual_currencies`)).body.items[0].balance).toBe(10);
  });

  it('keeps secrets of an answer sealed', async () => {
    const headers = newKey();
    const make = () => owner.session.post(`${path}/api_keys`, { name: 'CI' }, headers);
    const first = await make();
    expect((await make()).body.key).toBe(first.body.key);
    const rows = await server.dataSource.query('SELECT * FROM idempotency_keys');
    expect(JSON.stringify(rows)).not.toContain(first.body.key);
  });

  it('runs once when many come at the same moment, on two replicas', async () => {
    const headers = newKey();
    const clients = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? backend : onReplica));
    const answers = await Promise.all(clients.map((client) => create('storm', headers, client)));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 201 && status !== 423)).toEqual([]);
    expect(await countOf('storm')).toBe(1);
    expect((await create('storm', headers)).text).toBe(made[0]?.text);
  });

  it('answers 423 while the first one is in flight', async () => {
    const headers = newKey();
    let first: Promise<Answer> | undefined;
    await whileWritesWait(async () => {
      first = create('slow', headers);
      await untilWaiting(1);
      const second = await create('slow', headers, onReplica);
      expect([second.status, second.body.type, second.body.retryable, second.body.backoff_ms]).toEqual([
        423,
        'resource_locked_error',
        true,
        1000,
      ]);
      expect((await create('another', headers)).status).toBe(409);
    });
    expect((await first)?.status).toBe(201);
    expect((await create('slow', headers)).headers['idempotent-replayed']).toBe('true');
  });

  it('allows an immediate retry after a failure of the server', async () => {
    const headers = newKey();
    await server.dataSource.query('ALTER TABLE entitlements RENAME TO entitlements_away');
    const failed = await fetch(`${server.baseUrl}${path}/entitlements`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ lookup_key: 'later', display_name: 'Pro' }),
    });
    await server.dataSource.query('ALTER TABLE entitlements_away RENAME TO entitlements');
    expect(failed.status).toBe(500);
    const again = await create('later', headers);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('never runs twice when its answer was lost after the commit', async () => {
    const headers = newKey();
    jest
      .spyOn(server.app.get(IdempotentRequestsService), 'finish')
      .mockRejectedValueOnce(new Error('killed'));
    expect((await create('lost', headers)).status).toBe(201);
    expect((await create('lost', headers)).status).toBe(423);
    await expireLeases(server, 'idempotency_keys');
    for (const client of [backend, onReplica]) {
      const { status, body } = await create('lost', headers, client);
      expect([status, body.type]).toEqual([409, 'idempotency_error']);
      expect(body.message).toContain('was executed');
    }
    expect(await countOf('lost')).toBe(1);
  });

  it('tells at once that it was carried out when the failure came after the commit', async () => {
    const headers = newKey();
    const requests = server.app.get(IdempotentRequestsService);
    jest.spyOn(requests, 'finish').mockImplementationOnce((claim) => requests.release(claim));
    await create('after', headers);
    const { status, body } = await create('after', headers);
    expect([status, body.type]).toEqual([409, 'idempotency_error']);
  });

  it('continues after a process that died before it changed anything', async () => {
    const headers = newKey();
    const requests = server.app.get(IdempotentRequestsService);
    jest.spyOn(requests, 'finish').mockRejectedValueOnce(new Error('killed'));
    const body = { lookup_key: 'x', display_name: '' };
    await backend.post(`${path}/entitlements`, body, headers);
    expect((await backend.post(`${path}/entitlements`, body, headers)).status).toBe(423);
    await expireLeases(server, 'idempotency_keys');
    const again = await backend.post(`${path}/entitlements`, body, headers);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([400, undefined]);
    const replayed = await backend.post(`${path}/entitlements`, body, headers);
    expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([400, 'true']);
  });

  it('runs in one of them when a slow process is overtaken', async () => {
    const headers = newKey();
    let answers: Promise<Answer[]> | undefined;
    await whileWritesWait(async () => {
      const slow = create('overtaken', headers);
      await untilWaiting(1);
      await expireLeases(server, 'idempotency_keys');
      const second = create('overtaken', headers, onReplica);
      await untilWaiting(2);
      answers = Promise.all([slow, second]);
    });
    const [slow, second] = (await answers) ?? [];
    expect([slow?.status, second?.status]).toEqual([423, 201]);
    expect(await countOf('overtaken')).toBe(1);
    expect((await create('overtaken', headers)).text).toBe(second?.text);
  });

  it('expires after a day, in bounded batches', async () => {
    server.clock.advanceMs(DAY_MS);
    await create('young', newKey());
    await server.dataSource.query(
      `INSERT INTO idempotency_keys (tenant_id, key, fingerprint, claim_id, lease_until, expires_at)
       SELECT 'old', n::text, ''::bytea, 'c', $1, $1 FROM generate_series(1, 2500) n`,
      [new Date(server.clock.nowMs() - 1)],
    );
    await Promise.all([server, replica].map(({ app }) => app.get(CleanupsJob).run()));
    const [row] = await server.dataSource.query('SELECT count(*)::int AS count FROM idempotency_keys');
    expect(row.count).toBe(1);
  });

  it('stays if its time changes during the clean-up, for which no other replica waits', async () => {
    const expired = new Date(server.clock.nowMs() - 1);
    await server.dataSource.query(
      `INSERT INTO idempotency_keys (tenant_id, key, fingerprint, claim_id, lease_until, expires_at)
       VALUES ('old', 'again', '', 'c', $1, $1)`,
      [expired],
    );
    let cleaning: Promise<void> | undefined;
    await server.dataSource.transaction(async (manager) => {
      await manager.query(`UPDATE idempotency_keys SET expires_at = $1 WHERE tenant_id = 'old'`, [
        new Date(expired.getTime() + DAY_MS),
      ]);
      cleaning = server.app.get(CleanupsJob).run();
      await untilBlocked(server, 1);
      await replica.app.get(CleanupsJob).run();
    });
    await cleaning;
    const rows = await server.dataSource.query(`SELECT key FROM idempotency_keys WHERE tenant_id = 'old'`);
    expect(rows).toEqual([{ key: 'again' }]);
  });
});
