import fc from 'fast-check';
import { FakePlay, playProducts } from '../../../test/support/fake-play/fake-play.js';
import { FakePlayServer } from '../../../test/support/fake-play/fake-play-server.js';
import { googleError } from '../../../test/support/fake-play/play-answer.js';
import type { FakePlaySubscription } from '../../../test/support/fake-play/fake-play-subscription.js';
import {
  applySubscription,
  type Subscription,
  type SubscriptionFacts,
  deriveOneTime,
  deriveState,
  newSubscription,
  noSubscriptionFacts,
  type OneTimeFacts,
} from '../../engine/index.js';
import { ManualClock } from '../../kernel/index.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import { GoogleClients } from './google-clients.js';
import { GooglePlay } from './google-play.js';
import { reconciledSubscription } from './reconciled.js';
import { type PlaySubscriptionFacts, subscriptionFacts } from './subscription-facts.js';
import { noPlayContext } from './subscription-report.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 2);

type StepName = 'renew' | 'cancel' | 'restart' | 'grace' | 'hold' | 'recover' | 'pause' | 'resume' | 'revoke';

/** The possible next steps in each state. */
const possible: Record<string, StepName[]> = {
  ACTIVE: ['renew', 'cancel', 'grace', 'hold', 'pause', 'revoke'],
  CANCELED: ['restart', 'revoke'],
  IN_GRACE_PERIOD: ['recover', 'hold'],
  ON_HOLD: ['recover'],
  PAUSED: ['resume'],
  EXPIRED: [],
};

function happen(subscription: FakePlaySubscription, clock: ManualClock, step: StepName): void {
  const isDue = ['renew', 'grace', 'hold', 'pause'].includes(step);
  const waitMs = isDue ? Math.max(0, subscription.expiryMs - clock.nowMs()) + 60_000 : DAY_MS;
  clock.advanceMs(waitMs);
  if (step === 'grace') subscription.fail(7);
  else if (step === 'hold') subscription.hold();
  else if (step === 'pause') subscription.pause(10);
  else subscription[step]();
}

interface Seen {
  atMs: number;
  report: PlaySubscriptionFacts;
}

/** Reads a subscription after each of its steps and skips picks that do not fit the state. */
function readHistory(picks: number[]): Seen[] {
  const clock = new ManualClock(START_MS);
  const play = new FakePlay(clock, 'com.example.app');
  const subscription = play.subscribe(playProducts.monthly);
  const read = (): Seen => {
    const { shown, token } = subscription;
    if (shown === 'gone') throw new Error('over');
    const atMs = clock.nowMs();
    const orders = structuredClone(subscription.orders);
    const report = { token, purchase: shown, orders, atMs, context: noPlayContext };
    return { atMs, report: subscriptionFacts(report) };
  };
  const seen = [read()];
  for (const pick of picks) {
    const steps = possible[subscription.state] ?? [];
    const step = steps[pick % Math.max(steps.length, 1)];
    if (step === undefined) break;
    happen(subscription, clock, step);
    seen.push(read());
  }
  return seen;
}

function applied(observations: Seen[], nowMs: number): Subscription {
  const identity = {
    id: 'sub_1',
    store: 'play_store',
    environment: 'production',
    storeKey: 'token',
  } as const;
  return observations.reduce<Subscription>((subscription, { atMs, report }) => {
    const facts: SubscriptionFacts = reconciledSubscription(
      report,
      'token',
      atMs,
    )(report.facts, subscription.facts);
    return applySubscription(subscription, { atMs, facts }, nowMs).subscription;
  }, newSubscription(identity));
}

describe('what Google reports about a subscription', () => {
  it('means the same in whatever order and however often it is read', () => {
    const disorder = fc.infiniteStream(fc.nat());
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 8 }), disorder, (picks, random) => {
        const seen = readHistory(picks);
        const nowMs = (seen.at(-1)?.atMs ?? START_MS) + 1_000;
        const others = [...seen, ...seen.slice(0, 2)];
        for (let index = others.length - 1; index > 0; index--) {
          const other = (random.next().value as number) % (index + 1);
          [others[index], others[other]] = [others[other] as Seen, others[index] as Seen];
        }
        const [inOrder, disordered] = [applied(seen, nowMs), applied(others, nowMs)];
        expect(deriveState(disordered.facts, nowMs)).toEqual(deriveState(inOrder.facts, nowMs));
        expect(Object.keys(disordered.facts.periods).sort()).toEqual(
          Object.keys(inOrder.facts.periods).sort(),
        );
      }),
    );
  });

  it('changes nothing when read twice', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 8 }), (picks) => {
        const seen = readHistory(picks);
        const { atMs, report } = seen.at(-1) as Seen;
        const subscription = applied(seen, atMs);
        const facts = reconciledSubscription(report, 'token', atMs)(report.facts, subscription.facts);
        expect(applySubscription(subscription, { atMs, facts }, atMs).changed).toBe(false);
      }),
    );
  });

  it('starts a renewal with an unreadable order at the previous end, or when it was first read', () => {
    const clock = new ManualClock(START_MS);
    const subscription = new FakePlay(clock, 'com.example.app').subscribe(playProducts.monthly);
    const read = (): Seen => {
      const atMs = clock.nowMs();
      const purchase = subscription.shown as Exclude<FakePlaySubscription['shown'], 'gone'>;
      const report = { token: subscription.token, purchase, orders: [], atMs, context: noPlayContext };
      return { atMs, report: subscriptionFacts(report) };
    };
    const first = read();
    const endMs = subscription.expiryMs;
    clock.advanceMs(endMs - START_MS - 270_000);
    subscription.renew();
    const early = read();
    const recorded = applied([first, early], clock.nowMs());
    expect(recorded.facts.periods[subscription.latestOrderId]?.value.startMs).toBe(early.atMs);
    clock.advanceMs(DAY_MS);
    const later = applied([first, early, read()], clock.nowMs());
    expect(later.facts.periods[subscription.latestOrderId]?.value.startMs).toBe(early.atMs);
    expect(
      reconciledSubscription(first.report, 'token', first.atMs)(first.report.facts, noSubscriptionFacts),
    ).toEqual(first.report.facts);
  });
});

describe('a Google that does not answer', () => {
  const play = new FakePlay(new ManualClock(START_MS), 'com.example.app');
  const server = new FakePlayServer(play);
  const receipt = {
    fetchToken: 'token',
    productIds: [],
    price: null,
    country: null,
    presentedOfferingId: null,
  };
  const context = { nowMs: START_MS, product: () => undefined, hadProduct: () => false };
  const store = (deadlineMs: number): GooglePlay => {
    const { client_email: clientEmail, private_key: privateKeyPem } = server.serviceAccount;
    const app = { packageName: 'com.example.app', serviceAccount: { clientEmail, privateKeyPem } };
    const clients = new GoogleClients(
      { api: server.url, token: `${server.url}/token` },
      new CircuitBreaker(() => 0),
    );
    return new GooglePlay(app, { clients, nowMs: () => START_MS, deadlineMs });
  };

  beforeAll(() => server.start());
  afterAll(() => server.close());

  it('stops waiting at the deadline: the purchase waits', async () => {
    server.interfere = () => ({ status: 200, instead: 'hang' });
    expect(await store(100).verify(receipt, context)).toMatchObject({ failure: 'temporary', code: 7101 });
  });

  it('stops waiting at the deadline while it returns no access token, too', async () => {
    server.refuseTokens = { status: 200, instead: 'hang' };
    expect(await store(100).verify(receipt, context)).toMatchObject({ failure: 'temporary', code: 7101 });
  });
});

describe('a Google whose answer this server does not fully understand', () => {
  const clock = new ManualClock(START_MS);
  const play = new FakePlay(clock, 'com.example.app');
  const server = new FakePlayServer(play);
  const context = { nowMs: START_MS, product: () => undefined, hadProduct: () => false };
  let google: GooglePlay;

  beforeAll(async () => {
    await server.start();
    const { client_email: clientEmail, private_key: privateKeyPem } = server.serviceAccount;
    const app = { packageName: 'com.example.app', serviceAccount: { clientEmail, privateKeyPem } };
    const urls = { api: server.url, token: `${server.url}/token` };
    const clients = new GoogleClients(urls, new CircuitBreaker(() => clock.nowMs()));
    google = new GooglePlay(app, { clients, nowMs: () => clock.nowMs(), deadlineMs: 8_000 });
  });
  afterEach(() => {
    server.interfere = () => undefined;
  });
  afterAll(() => server.close());

  const verify = (fetchToken: string) =>
    google.verify(
      { fetchToken, productIds: [], price: null, country: null, presentedOfferingId: null },
      context,
    );
  const failing = (pattern: RegExp): void => {
    server.interfere = ({ path }) => (pattern.test(path) ? googleError(503, 'backendError') : undefined);
  };

  it.each(['SUBSCRIPTION_STATE_UNSPECIFIED', 'SUBSCRIPTION_STATE_OF_THE_FUTURE'])(
    'keeps a subscription waiting in the state %s, which may be a paid one',
    async (subscriptionState) => {
      const shown = { ...(play.subscribe(playProducts.monthly).shown as object), subscriptionState };
      server.interfere = ({ path }) =>
        path.includes('subscriptionsv2') ? { status: 200, body: shown } : undefined;
      expect(await verify('token')).toMatchObject({ failure: 'temporary', code: 7101 });
    },
  );

  it('refuses a purchase that was cancelled before it was paid', async () => {
    const shown = { subscriptionState: 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED' };
    server.interfere = ({ path }) =>
      path.includes('subscriptionsv2') ? { status: 200, body: shown } : undefined;
    expect(await verify('token')).toMatchObject({ failure: 'permanent', code: 7103 });
  });

  it('postpones a product in an unknown state', async () => {
    const { token, purchase } = play.buy(playProducts.lifetime);
    purchase.purchaseStateContext = { purchaseState: 'OF_THE_FUTURE' };
    expect(await verify(token)).toMatchObject({ failure: 'temporary', code: 7101 });
  });

  it('marks a rental, which Google reports without an end', async () => {
    const movie = { id: 'movie_1', priceMicros: 3_990_000 };
    for (const isRental of [true, false]) {
      const { token } = play.buy(movie, { isRental });
      const read = await google.read(token, {}, true);
      const { purchases = [] } = 'purchases' in read ? read : {};
      const facts = purchases[0]?.observation.facts as OneTimeFacts;
      expect(facts.purchase?.value).toMatchObject({ storeProductId: 'movie_1', expiresAtMs: null });
      expect(deriveOneTime(facts)).toMatchObject({ isRental, status: 'owned' });
    }
  });

  it('takes no money for a purchase by a promotional code, whatever price the device posts', async () => {
    const priced = (fetchToken: string) =>
      google.verify(
        {
          fetchToken,
          productIds: [playProducts.coins.id],
          price: { amountMicros: 990_000, currency: 'USD' },
          country: null,
          presentedOfferingId: null,
        },
        context,
      );
    const read = async (token: string): Promise<unknown> => {
      const answer = await priced(token);
      if (answer.failure !== null) throw new Error(answer.message);
      const { purchase } = answer.purchases[0]?.observation.facts as OneTimeFacts;
      return [purchase?.value.price.amountMicros, purchase?.value.price.source, answer.unfinished];
    };
    const { token } = play.buy(playProducts.coins, { isGiven: true });
    expect(await read(token)).toEqual([0, 'store', []]);
    failing(/purchases\/products\//);
    expect(await read(token)).toEqual([990_000, 'device', [token]]);
    const bought = play.buy(playProducts.coins);
    expect(await read(bought.token)).toEqual([990_000, 'order', []]);
  });

  it('looks for a subscription if Google returns an empty product', async () => {
    const { token } = play.subscribe(playProducts.monthly);
    const shown = { purchaseStateContext: { purchaseState: 'PURCHASED' } };
    server.interfere = ({ path }) => (path.includes('productsv2') ? { status: 200, body: shown } : undefined);
    expect(await google.read(token, {}, true)).toMatchObject({
      purchases: [{ kind: 'subscription', key: token }],
    });
    expect(await google.read('token', {}, true)).toMatchObject({ failure: 'temporary', code: 7101 });
  });

  it('reads orders later if they fail now, but not if they are forbidden', async () => {
    const { token } = play.subscribe(playProducts.monthly);
    const coins = play.buy(playProducts.coins);
    failing(/^\/orders/);
    expect(await verify(token)).toMatchObject({ failure: null, unfinished: [token] });
    expect(await verify(coins.token)).toMatchObject({ failure: null, unfinished: [coins.token] });
    expect(await google.refresh(token, 'production')).toMatchObject({ unfinished: true });
    server.interfere = ({ path }) =>
      path.startsWith('/orders') ? googleError(403, 'permissionDenied') : undefined;
    expect(await verify(token)).toMatchObject({ failure: null, unfinished: [] });
  });

  it('waits a day for the purchase that a new one may continue: that is decided once', async () => {
    const before = play.subscribe(playProducts.monthly);
    clock.advanceMs(DAY_MS);
    const { token } = before.replaceBy(playProducts.yearly);
    failing(new RegExp(before.token));
    expect(await verify(token)).toMatchObject({ failure: 'temporary', code: 7101 });
    clock.advanceMs(DAY_MS);
    expect(await verify(token)).toMatchObject({ failure: null });
  });

  it('waits a day for the orders of a purchase with a linked one: they may show that it continues', async () => {
    const before = play.subscribe(playProducts.monthly);
    clock.advanceMs(DAY_MS);
    const { token } = before.replaceBy(playProducts.yearly);
    failing(/^\/orders/);
    expect(await verify(token)).toMatchObject({ failure: 'temporary', code: 7101 });
    clock.advanceMs(DAY_MS);
    expect(await verify(token)).toMatchObject({ failure: null });
  });
});
