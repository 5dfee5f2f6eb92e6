import { jest } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../src/platform/http/errors/api-error.js';
import { IdempotentRequestsService } from '../../src/platform/idempotency/idempotent-requests.service.js';
import { CurrencyAdjustmentsService } from '../../src/purchases/currencies/currency-adjustments.service.js';
import type { Answer, ApiClient } from '../support/api-client.js';
import { type SignedInCustomer, signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { expireLeases } from '../support/leases.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const MAX = 2_000_000_000;
const SPEND = '/v1/customer/virtual_currencies/spend';

let keys = 0;
const newKey = (): string => `key ${++keys}`;
const under = (key: string) => ({ 'idempotency-key': key });

describe('spending virtual currency', () => {
  let server: TestServer;
  let replica: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    const env = { SERVICE_PUBLIC_URL: 'https://tenure.example' };
    server = await startTestServer({ env });
    const { databaseUrl, clock } = server;
    replica = await startTestServer({ databaseUrl, clock, env });
    store = await createTestStore(server);
    await turnSignInOn(server, store.projectId);
    for (const [code, name] of [
      ['GLD', 'Gold'],
      ['SLV', 'Silver'],
      ['OLD', 'Old'],
    ]) {
      await store.backend.post(`${store.path}/virtual_currencies`, { code, name });
    }
  });

  afterAll(async () => {
    await replica.close();
    await server.close();
  });

  afterEach(() => jest.restoreAllMocks());

  async function rich(balances: object): Promise<SignedInCustomer> {
    const customer = await signInAnonymously(server, store);
    const path = `${store.path}/customers/${encodeURIComponent(customer.appUserId)}/virtual_currencies/transactions`;
    const answer = await store.backend.post(path, { adjustments: balances });
    expect(answer.status).toBe(200);
    return customer;
  }

  const spend = (client: ApiClient, adjustments: unknown, more: object = {}, headers = {}): Promise<Answer> =>
    client.post(SPEND, { adjustments, ...more }, headers);

  const balancesIn = ({ body }: Answer): object =>
    Object.fromEntries(
      Object.entries(body.virtual_currencies as Record<string, { balance: number }>).map(
        ([code, { balance }]) => [code, balance],
      ),
    );

  const balancesOf = async ({ client }: SignedInCustomer): Promise<object> =>
    balancesIn(await client.get('/v1/customer/virtual_currencies'));

  it('subtracts, answers as the balances are read, and notes it in the ledger without an event', async () => {
    const customer = await rich({ GLD: 100, SLV: 7 });
    const countEvents = 'SELECT count(*)::int AS count FROM events WHERE project_id = $1';
    const [before] = await server.dataSource.query(countEvents, [store.projectId]);
    const answer = await spend(customer.client, { SLV: 7, GLD: 30 }, { reference: 'sword' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual((await customer.client.get('/v1/customer/virtual_currencies')).body);
    expect(balancesIn(answer)).toEqual({ GLD: 70, OLD: 0, SLV: 0 });
    const rows = await server.dataSource.query(
      `SELECT code, kind, amount::int, reference FROM virtual_currency_transactions
       WHERE project_id = $1 AND amount < 0 AND customer_id = (
         SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2) ORDER BY code`,
      [store.projectId, customer.appUserId],
    );
    expect(rows).toEqual([
      { code: 'GLD', kind: 'adjustment', amount: -30, reference: 'sword' },
      { code: 'SLV', kind: 'adjustment', amount: -7, reference: 'sword' },
    ]);
    expect(await server.dataSource.query(countEvents, [store.projectId])).toEqual([before]);
  });

  it('spends nothing when one of the balances is too low', async () => {
    const customer = await rich({ GLD: 100, SLV: 7 });
    const answer = await spend(customer.client, { GLD: 30, SLV: 8 });
    expect([answer.status, answer.body.code]).toEqual([422, 7000]);
    expect(await balancesOf(customer)).toEqual({ GLD: 100, OLD: 0, SLV: 7 });
  });

  const tooMany = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`C${index}`, 1]));
  const badBodies: [string, unknown][] = [
    ['no object', 'GLD'],
    ['nothing', {}],
    ['no currency', { adjustments: {} }],
    ['a list', { adjustments: [1] }],
    ['21 currencies', { adjustments: tooMany }],
    ['zero', { adjustments: { GLD: 0 } }],
    ['a negative amount', { adjustments: { GLD: -1 } }],
    ['a fraction', { adjustments: { GLD: 0.5 } }],
    ['a text', { adjustments: { GLD: '1' } }],
    ['more than there can be', { adjustments: { GLD: MAX + 1 } }],
    ['one good and one bad amount', { adjustments: { GLD: 1, SLV: null } }],
    ['an unknown currency', { adjustments: { XYZ: 1 } }],
    ['a code that is far too long', { adjustments: { ['X'.repeat(5000)]: 1 } }],
    ['a number as reference', { adjustments: { GLD: 1 }, reference: 7 }],
    ['a long reference', { adjustments: { GLD: 1 }, reference: 'x'.repeat(256) }],
    ['a reference that cannot be stored', { adjustments: { GLD: 1 }, reference: 'a\0b' }],
  ];

  it.each(badBodies)('refuses %s with 400 and code 7226', async (_, body) => {
    const customer = await rich({ GLD: 10 });
    const answer = await customer.client.post(SPEND, body, under(newKey()));
    expect([answer.status, answer.body.code]).toEqual([400, 7226]);
    expect(answer.text.length).toBeLessThan(300);
    expect(await balancesOf(customer)).toMatchObject({ GLD: 10 });
  });

  it('refuses an archived currency', async () => {
    const customer = await rich({ OLD: 10 });
    await store.backend.post(`${store.path}/virtual_currencies/OLD/actions/archive`);
    const answer = await spend(customer.client, { OLD: 1 });
    expect([answer.status, answer.body.code]).toEqual([400, 7226]);
    await store.backend.post(`${store.path}/virtual_currencies/OLD/actions/unarchive`);
  });

  describe('under an Idempotency-Key', () => {
    it('spends once and repeats the first answer for 24 hours, on every replica', async () => {
      const customer = await rich({ GLD: 100 });
      const headers = under(newKey());
      const first = await spend(customer.client, { GLD: 30 }, { reference: 'a' }, headers);
      expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
      await spend(customer.client, { GLD: 1 });
      const onReplica = replica.http.withKey(customer.tokens.access_token as string);
      for (const client of [customer.client, onReplica]) {
        const again = await client.post(SPEND, { reference: 'a', adjustments: { GLD: 30 } }, headers);
        expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
          200,
          first.text,
          'true',
        ]);
      }
      expect(await balancesOf(customer)).toMatchObject({ GLD: 69 });
    });

    it('spends again after a day', async () => {
      const key = newKey();
      const customer = await rich({ GLD: 100 });
      await spend(customer.client, { GLD: 30 }, {}, under(key));
      server.clock.advanceMs(DAY_MS);
      const tokens = await store.sdk.post('/v1/auth/token', {
        grant_type: 'refresh_token',
        refresh_token: customer.tokens.refresh_token,
      });
      const later = server.http.withKey(tokens.body.access_token as string);
      const again = await spend(later, { GLD: 30 }, {}, under(key));
      expect([again.headers['idempotent-replayed'], balancesIn(again)]).toEqual([
        undefined,
        expect.objectContaining({ GLD: 40 }),
      ]);
    });

    it('answers 409 to another body, and spends nothing', async () => {
      const customer = await rich({ GLD: 100 });
      const headers = under(newKey());
      await spend(customer.client, { GLD: 30 }, {}, headers);
      for (const [adjustments, more] of [
        [{ GLD: 31 }, {}],
        [{ GLD: 30, SLV: 1 }, {}],
        [{ GLD: 30 }, { reference: 'b' }],
      ] as const) {
        const answer = await spend(customer.client, adjustments, more, headers);
        expect([answer.status, answer.body.code]).toEqual([409, 7226]);
      }
      expect(await balancesOf(customer)).toMatchObject({ GLD: 70 });
    });

    it('keeps the keys of customers apart', async () => {
      const headers = under(newKey());
      for (const customer of [await rich({ GLD: 5 }), await rich({ GLD: 5 })]) {
        const answer = await spend(customer.client, { GLD: 5 }, {}, headers);
        expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([200, undefined]);
      }
    });

    it('repeats a refusal, even when the balance has grown since', async () => {
      const customer = await rich({ GLD: 5 });
      const headers = under(newKey());
      const refused = await spend(customer.client, { GLD: 6 }, {}, headers);
      const path = `${store.path}/customers/${encodeURIComponent(customer.appUserId)}/virtual_currencies`;
      await store.backend.post(`${path}/transactions`, { adjustments: { GLD: 5 } });
      const again = await spend(customer.client, { GLD: 6 }, {}, headers);
      expect([again.status, again.text]).toEqual([422, refused.text]);
      expect((await spend(customer.client, { GLD: 6 }, {}, under(newKey()))).status).toBe(200);
    });

    it.each(['', 'k'.repeat(256), 'caf\u00e9'])('refuses %j as a key', async (key) => {
      const customer = await rich({ GLD: 5 });
      const answer = await spend(customer.client, { GLD: 5 }, {}, under(key));
      expect([answer.status, answer.body.code]).toEqual([400, 7226]);
      expect(await balancesOf(customer)).toMatchObject({ GLD: 5 });
    });

    it('has spent nothing when the process died before the commit, and spends once afterwards', async () => {
      const customer = await rich({ GLD: 5 });
      const headers = under(newKey());
      jest
        .spyOn(server.app.get(CurrencyAdjustmentsService, { strict: false }), 'balances')
        .mockRejectedValueOnce(new ApiError('overloaded', 'killed'));
      jest
        .spyOn(server.app.get(IdempotentRequestsService), 'release')
        .mockRejectedValueOnce(new Error('killed'));
      expect((await spend(customer.client, { GLD: 5 }, {}, headers)).status).toBe(503);
      const inFlight = await spend(customer.client, { GLD: 5 }, {}, headers);
      expect([inFlight.status, inFlight.body.code]).toEqual([503, 7638]);
      expect(await balancesOf(customer)).toMatchObject({ GLD: 5 });
      await expireLeases(server, 'idempotency_keys');
      const answers = await Promise.all([1, 2, 3].map(() => spend(customer.client, { GLD: 5 }, {}, headers)));
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
      const after = await spend(customer.client, { GLD: 5 }, {}, headers);
      expect([after.status, balancesIn(after)]).toEqual([200, expect.objectContaining({ GLD: 0 })]);
    });

    it('has its answer when the process died right after the commit', async () => {
      const customer = await rich({ GLD: 5 });
      const headers = under(newKey());
      const requests = server.app.get(IdempotentRequestsService);
      const finish = requests.finish.bind(requests);
      const outside = jest
        .spyOn(requests, 'finish')
        .mockImplementation((claim, answer, ids, tx) =>
          tx ? finish(claim, answer, ids, tx) : Promise.reject(new Error('killed')),
        );
      const first = await spend(customer.client, { GLD: 5 }, {}, headers);
      expect(outside).toHaveBeenCalledTimes(1);
      const again = await spend(customer.client, { GLD: 5 }, {}, headers);
      expect([again.status, again.text]).toEqual([200, first.text]);
    });

    it('does not spend again for the customer into whom the first one was merged', async () => {
      const customer = await rich({ GLD: 20 });
      const headers = under(newKey());
      await spend(customer.client, { GLD: 5 }, {}, headers);
      await store.sdk.get('/v1/subscribers/merged');
      const names = { app_user_id: customer.appUserId, new_app_user_id: 'merged' };
      expect((await store.sdk.post('/v1/subscribers/identify', names)).status).toBe(200);
      const again = await spend(customer.client, { GLD: 5 }, {}, headers);
      expect([again.status, again.body.code]).toEqual([409, 7226]);
      expect(await balancesOf(customer)).toMatchObject({ GLD: 15 });
    });

    it('leaves nothing of a deleted customer', async () => {
      const customer = await rich({ GLD: 20 });
      await spend(customer.client, { GLD: 5 }, {}, under(newKey()));
      const count = 'SELECT count(*)::int AS count FROM idempotency_keys WHERE app_user_id = $1';
      expect(await server.dataSource.query(count, [customer.appUserId])).toEqual([{ count: 1 }]);
      await store.backend.delete(`${store.path}/customers/${encodeURIComponent(customer.appUserId)}`);
      expect(await server.dataSource.query(count, [customer.appUserId])).toEqual([{ count: 0 }]);
    });
  });

  it('never falls below zero and never loses or doubles a spend, whatever is sent at once', async () => {
    const request = fc.record({
      key: fc.option(fc.nat(3), { nil: null }),
      GLD: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      SLV: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    });
    const wave = fc.array(request, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(wave, { minLength: 1, maxLength: 3 }), async (waves) => {
        const customer = await rich({ GLD: 100, SLV: 100 });
        const round = newKey();
        const left = { GLD: 100, SLV: 100 };
        const firstOf = new Map<number, { body: string; answer: Answer }>();
        for (const requests of waves) {
          const answers = await Promise.all(
            requests.map(async ({ key, ...amounts }) => {
              const body = JSON.stringify({ GLD: amounts.GLD, SLV: amounts.SLV });
              const headers = key === null ? {} : under(`${round} ${key}`);
              return { key, body, answer: await spend(customer.client, JSON.parse(body), {}, headers) };
            }),
          );
          for (const { key, body, answer } of answers) {
            expect([200, 400, 409, 422, 503]).toContain(answer.status);
            const isReplay = answer.headers['idempotent-replayed'] === 'true';
            if (answer.status === 200 && !isReplay) {
              const amounts = JSON.parse(body) as Partial<typeof left>;
              left.GLD -= amounts.GLD ?? 0;
              left.SLV -= amounts.SLV ?? 0;
              // Under one key only once.
              if (key !== null) expect(firstOf.get(key)?.answer.status === 200).toBe(false);
            }
            if (key !== null && !isReplay && [200, 422].includes(answer.status)) {
              firstOf.set(key, { body, answer });
            }
          }
          for (const { key, body, answer } of answers) {
            if (key === null || answer.headers['idempotent-replayed'] !== 'true') continue;
            const first = firstOf.get(key);
            expect([answer.text, body]).toEqual([first?.answer.text, first?.body]);
          }
          expect(Math.min(left.GLD, left.SLV)).toBeGreaterThanOrEqual(0);
          expect(await balancesOf(customer)).toMatchObject(left);
        }
      }),
      { numRuns: 25 },
    );
  });
});
