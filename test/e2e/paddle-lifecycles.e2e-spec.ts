import {
  coins,
  lifetime,
  monthly,
  type PaddleWorld,
  plus,
  startPaddleWorld,
  yearly,
} from '../support/arrange-paddle.js';
import type { FakeTransaction, PaddleEventSent } from '../support/fake-paddle/fake-paddle.js';
import type { FakePaddleSubscription, PaddleStart } from '../support/fake-paddle/fake-paddle-subscription.js';
import type { LifeDriver } from '../support/store-lives/life.js';
import type { OneTimeDriver } from '../support/store-lives/one-time-life.js';
import { testLives } from '../support/store-lives/test-lives.js';
import { testOneTimeLives } from '../support/store-lives/test-one-time-lives.js';

const DAY_MS = 86_400_000;

/** A customer's subscriptions; the last one continues. */
type Life = FakePaddleSubscription[];

describe('lives of purchases with Paddle', () => {
  let world: PaddleWorld;

  beforeAll(async () => {
    world = await startPaddleWorld();
  });
  afterAll(() => world.close());

  const begin = (start: PaddleStart = {}): Life => [world.paddle.subscribe(monthly, start)];
  const happens =
    (what: (subscription: FakePaddleSubscription) => PaddleEventSent) =>
    (life: Life): { event: PaddleEventSent; bought?: string } => ({
      event: what(life.at(-1) as FakePaddleSubscription),
    });

  const driver: LifeDriver<Life, { event: PaddleEventSent; bought?: string }> = {
    store: 'paddle',
    starts: { plain: () => begin(), trial: () => begin({ trialDays: 7 }) },
    happenings: {
      renew: happens((life) => life.renew()),
      recover: happens((life) => life.collect()),
      cancel: happens((life) => life.cancel()),
      uncancel: happens((life) => life.uncancel()),
      resubscribe: (life) => {
        const next = world.paddle.subscribe(monthly);
        life.push(next);
        return { event: next.updated('created'), bought: next.id };
      },
      failWithGrace: happens((life) => life.fail()),
      expire: happens((life) => life.end()),
      expireUnpaid: happens((life) => life.end()),
      schedulePause: happens((life) => life.schedulePause(world.clock.nowMs() + 40 * DAY_MS)),
      pause: happens((life) => life.pause()),
      resume: happens((life) => life.resume()),
      refund: happens((life) => world.paddle.adjust(life.latest)),
      refundFirstPeriod: happens((life) => {
        const first = life.transactions.at(-1);
        if (!first) throw new Error('nothing was billed');
        return world.paddle.adjust(first);
      }),
      reverseRefund: happens((life) => world.paddle.decide(life.latest, 'reversed')),
      upgrade: happens((life) => life.changeTo(yearly)),
      crossgrade: happens((life) => life.exchange(plus)),
      extend: happens((life) => life.extend(14)),
    },
    async post(life, user) {
      const answers = [];
      for (const { id } of life) answers.push(await world.post(user, id));
      return answers.find(({ status }) => status !== 200) ?? { status: 200, text: '' };
    },
    async deliver({ event, bought }, user) {
      if (bought !== undefined) expect((await world.post(user, bought)).status).toBe(200);
      expect((await world.notify(event)).status).toBe(200);
    },
  };

  testLives(() => world, driver);

  /** Transactions of a customer; the last is what something happens to. */
  type OneTime = FakeTransaction[];
  const last = (life: OneTime): FakeTransaction => life.at(-1) as FakeTransaction;
  const starts =
    (...terms: Parameters<typeof world.paddle.sell>) =>
    (): OneTime => [world.paddle.sell(...terms)];
  const adds =
    (price: typeof coins) =>
    (life: OneTime): PaddleEventSent => {
      life.push(world.paddle.sell([{ price }]));
      return world.paddle.event('transaction.completed', last(life));
    };

  testOneTimeLives<OneTime, PaddleEventSent>(() => world, {
    store: 'paddle',
    coins: coins.product,
    lifetime: lifetime.product,
    starts: {
      coins: starts([{ price: coins }]),
      three: starts([{ price: coins, quantity: 3 }]),
      lifetime: starts([{ price: lifetime }]),
      pending: starts([{ price: coins }], { status: 'ready' }),
    },
    happenings: {
      buyCoins: adds(coins),
      buyLifetime: adds(lifetime),
      pay: (life) => world.paddle.pay(last(life)),
      dropPayment: (life) => world.paddle.pay(last(life), 'canceled'),
      refund: (life) => world.paddle.adjust(last(life)),
      refundHalf: (life) => {
        const half = Number(last(life).details.totals.total) / 2;
        return world.paddle.adjust(last(life), 'refund', { amount: half });
      },
      reverseRefund: (life) => world.paddle.decide(last(life), 'reversed'),
      chargeBack: (life) => world.paddle.adjust(last(life), 'chargeback'),
    },
    async post(life, user) {
      const answers = [];
      for (const { id } of life) answers.push(await world.post(user, id));
      return answers.map(({ status }) => status);
    },
    async deliver(event) {
      expect((await world.notify(event)).status).toBe(200);
    },
  } satisfies OneTimeDriver<OneTime, PaddleEventSent>);
});
