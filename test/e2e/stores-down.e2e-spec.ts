import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import {
  type AllStores,
  type Bought,
  type StoreName,
  startAllStores,
} from '../support/arrange-all-stores.js';
import type { Answer } from '../support/api-client.js';
import type { FakeAnswer } from '../support/fake-http.js';
import { amazonErrors } from '../support/fake-amazon/fake-amazon.js';
import { rokuErrors } from '../support/fake-roku/fake-roku.js';
import { googleError } from '../support/fake-play/play-answer.js';
import { paddleErrors } from '../support/fake-paddle/fake-paddle-api.js';
import { stripeErrors } from '../support/fake-stripe/fake-stripe-api.js';
import { holdDeadlines } from '../support/held-deadlines.js';
import { isNightly } from '../support/nightly.js';
import { countQueries } from '../support/query-count.js';

const MINUTE_MS = 60_000;
const DEADLINE_MS = 8_000;
/** More than the connections to the database. */
const MANY = isNightly ? 200 : 60;
/** Allowed time for the calls of a test on a busy machine. */
const PATIENCE_MS = 120_000;

interface Posting {
  user: string;
  bought: Bought;
}

describe('receipts of a store that does not work', () => {
  let all: AllStores;
  let count = 0;

  beforeAll(async () => {
    all = await startAllStores();
  });
  afterAll(() => all.close());

  const names: StoreName[] = ['app_store', 'paddle', 'play_store', 'stripe', 'amazon', 'roku'];

  describe.each(names)('%s', (name) => {
    const postings = (many: number): Posting[] =>
      Array.from({ length: many }, () => ({ user: `user-${++count}`, bought: all.stores[name].buy() }));
    const post = ({ user, bought }: Posting): Promise<Answer> => all.post(all.stores[name], user, bought);
    const outcome = ({ status, body, headers }: Answer): unknown[] => [
      status,
      body.code,
      Number(headers['retry-after']) >= 30,
    ];
    const waits = [503, 7101, true];
    const expectTaken = async (posting: Posting): Promise<void> => {
      const answer = await post(posting);
      expect([answer.status, Object.keys(answer.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
      expect(await all.stores[name].world.events(posting.user)).toEqual(['INITIAL_PURCHASE']);
    };

    /**
     * The store is well again, and the server has noticed. Earlier receipts are acknowledged in the background: that
     * must not hang with the store, nor take the few calls that try a closed circuit from a receipt.
     */
    const recover = async (): Promise<void> => {
      all.stores[name].answerWith(null);
      all.clock.advanceMs(MINUTE_MS);
      await all.server.app.get(StoreTasksService).drain();
    };

    beforeEach(recover);

    const failures: [string, FakeAnswer][] = [
      ['cuts the line', { status: 0, instead: 'reset' }],
      ['answers 500', { status: 500, body: {} }],
      ['answers 503 with a page', { status: 503, body: '<html>' }],
      ['answers with a page', { status: 200, body: '<html>' }],
      ['answers with half of the JSON', { status: 200, body: '{"data": [' }],
      ['answers with the JSON of something else', { status: 200, body: { message: 'Welcome' } }],
      ['answers with a list', { status: 200, body: [] }],
      ['sends elsewhere', { status: 302, headers: { location: 'https://example.com/' } }],
      ['is hidden by a proxy', { status: 404, body: '<html>' }],
      ['is hidden by a proxy that takes nothing', { status: 400, body: '<html>' }],
      ['is hidden by a proxy that says nothing', { status: 400, body: '' }],
      ['is hidden by a gateway', { status: 400, body: { message: 'Bad Request' } }],
      ['is gone for a proxy', { status: 410, body: '<html>' }],
    ];

    it.each(failures)('keeps those that %s, and accepts them once it works again', async (_, failure) => {
      const { world, answerWith } = all.stores[name];
      const rows = await world.purchaseRows();
      const kept = postings(6);
      answerWith(failure);
      for (const posting of kept) expect(outcome(await post(posting))).toEqual(waits);
      expect(await world.purchaseRows()).toBe(rows);
      await recover();
      for (const posting of kept) await expectTaken(posting);
    });

    it('waits at most 8 seconds for a store that hangs, and not at all while calls pause', async () => {
      const { world, answerWith, callsAbout, callsAtOnce } = all.stores[name];
      const deadlines = holdDeadlines(DEADLINE_MS);
      try {
        const rows = await world.purchaseRows();
        const kept = postings(5);
        const calls = (): number => callsAbout(kept.map(({ bought }) => bought));
        answerWith({ status: 0, instead: 'hang' });
        const waiting = Promise.all(kept.map(post));
        await untilAtLeast(kept.length * callsAtOnce, calls);
        deadlines.pass();
        expect((await waiting).map(outcome)).toEqual(kept.map(() => waits));
        const asked = calls();
        for (const posting of kept) expect(outcome(await post(posting))).toEqual(waits);
        expect(calls()).toBe(asked);
        expect(await world.purchaseRows()).toBe(rows);
        await recover();
        for (const posting of kept) await expectTaken(posting);
      } finally {
        deadlines.restore();
      }
    });

    it(`blocks nothing else with ${MANY} receipts open at a hanging store, and loses none`, async () => {
      const { answerWith, callsAbout, callsAtOnce } = all.stores[name];
      const { testStore, server } = all;
      const deadlines = holdDeadlines(DEADLINE_MS);
      try {
        const kept = postings(MANY);
        const calls = (): number => callsAbout(kept.map(({ bought }) => bought));
        answerWith({ status: 0, instead: 'hang' });
        let answered = 0;
        const waiting = Promise.all(kept.map((posting) => post(posting).finally(() => answered++)));
        await untilAtLeast(MANY * callsAtOnce, calls, () => `${answered} receipts were answered`);
        const others = names.filter((other) => other !== name);
        const receipt = { app_user_id: `test-${++count}`, product_id: 'pro_monthly' };
        const fetch_token = `test_${all.clock.nowMs()}_beside-${count}`;
        const beside = [
          await testStore.sdk.post('/v1/receipts', { ...receipt, fetch_token }),
          await testStore.sdk.get(`/v1/subscribers/${receipt.app_user_id}`),
          await testStore.backend.get(`${testStore.path}/customers/${receipt.app_user_id}`),
        ];
        for (const other of others) {
          const store = all.stores[other];
          beside.push(await all.post(store, `user-${++count}`, store.buy()));
        }
        expect(beside.map(({ status }) => status)).toEqual(beside.map(() => 200));
        expect(answered).toBe(0);
        const [open] = await server.dataSource.query<{ count: string }[]>(
          `SELECT count(*) FROM pg_stat_activity
           WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
        );
        expect(Number(open?.count)).toBe(0);
        deadlines.pass();
        const outcomes = (await waiting).map(outcome);
        expect(outcomes.filter((one) => JSON.stringify(one) !== JSON.stringify(waits))).toEqual([]);
        await recover();
        for (const posting of kept.slice(0, 10)) await expectTaken(posting);
        const rest = await Promise.all(kept.slice(10).map(post));
        expect(rest.filter(({ status }) => status !== 200)).toEqual([]);
      } finally {
        deadlines.restore();
      }
    });
  });
});

describe('credentials that a store takes', () => {
  let all: AllStores;

  beforeAll(async () => {
    all = await startAllStores();
  });
  afterAll(() => all.close());

  const refusals: [StoreName, FakeAnswer][] = [
    ['play_store', googleError(401, 'authError', 'Invalid Credentials')],
    ['paddle', paddleErrors.invalidToken],
    ['stripe', stripeErrors.revoked],
    ['amazon', amazonErrors.secret],
    ['roku', rokuErrors.unauthorized],
  ];

  it.each(refusals)('costs receipts of %s no statement, but one after a refusal', async (name, refusal) => {
    const store = all.stores[name];
    const counted = countQueries(all.server);
    let count = 0;
    const removals = async (): Promise<number> => {
      const statements = await counted(() => all.post(store, `${name}-${++count}`, store.buy()));
      expect(statements).toContain('apps.find');
      return statements.filter((statement) => statement === 'store_tasks.remove').length;
    };
    expect(await removals()).toBe(0);
    store.answerWith(refusal);
    expect((await all.post(store, 'refused', store.buy())).status).toBe(503);
    expect((await store.world.health()).credentials_error).not.toBeNull();
    store.answerWith(null);
    expect([await removals(), await removals()]).toEqual([1, 0]);
    expect((await store.world.health()).credentials_error).toBeNull();
  });
});

/** Waits for a number of calls; fails when they are not made in time. */
async function untilAtLeast(
  expected: number,
  calls: () => number,
  detail: () => string = () => '',
): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (calls() < expected) {
    if (performance.now() > giveUpAt) {
      throw new Error(`The store got ${calls()} of ${expected} calls. ${detail()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
