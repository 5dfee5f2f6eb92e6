import fc from 'fast-check';
import { FakePlay, playProducts } from '../../../test/support/fake-play/fake-play.js';
import { FakePlayServer, googleError } from '../../../test/support/fake-play/fake-play-server.js';
import { applyChain, type Chain, type ChainState, newChain } from '../../engine/index.js';
import { ManualClock } from '../../kernel/index.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import type { VerifiedPurchase } from '../contract.js';
import { GoogleClients } from './google-clients.js';
import { GooglePlay } from './google-play.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 2);
const { monthly, basic, plus, yearly } = playProducts;

/** What one look at Google shows, and when it was taken. */
interface Look {
  atMs: number;
  purchases: VerifiedPurchase[];
}

/** Chains by key, as the recorder leads them; each look is heard when it was taken, or all at `nowMs`. */
function record(
  looks: Look[],
  nowMs: number | null = null,
): { chains: Chain[]; states: ChainState[]; events: string[] } {
  const chains = new Map<string, Chain>();
  const states = new Map<string, ChainState>();
  const events: string[] = [];
  const all = looks.flatMap(({ atMs, purchases }) => purchases.map((purchase) => ({ atMs, purchase })));
  for (const { atMs, purchase } of all) {
    const { key, continues = key } = purchase;
    if (purchase.kind !== 'chain') throw new Error('a subscription is a chain');
    const continued = [...chains.values()].find(({ facts }) => facts.continuations?.[key] !== undefined);
    const chainKey = chains.has(key) ? key : (continued?.chainKey ?? continues);
    const identity = { id: chainKey, store: 'play_store', environment: 'production', chainKey } as const;
    const chain = chains.get(chainKey) ?? newChain(identity);
    if (purchase.onlyIfKnown && !chains.has(chainKey)) continue;
    const { observation, settle } = purchase;
    const facts = settle ? settle(observation.facts, chain.facts) : observation.facts;
    const change = applyChain(chain, { ...observation, facts }, nowMs ?? atMs);
    chains.set(chainKey, change.chain);
    states.set(chainKey, change.state);
    events.push(...change.events.map(({ type }) => type));
  }
  const keys = [...chains.keys()].sort();
  return {
    chains: keys.map((key) => chains.get(key) as Chain),
    states: keys.map((key) => states.get(key) as ChainState),
    events,
  };
}

function shuffled<T>(items: T[], random: Iterator<number>): T[] {
  const all = [...items];
  for (let index = all.length - 1; index > 0; index--) {
    const other = (random.next().value as number) % (index + 1);
    [all[index], all[other]] = [all[other] as T, all[index] as T];
  }
  return all;
}

describe('a plan that begins when the running one is over', () => {
  const clock = new ManualClock(START_MS);
  const play = new FakePlay(clock, 'com.example.app');
  const server = new FakePlayServer(play);
  let google: GooglePlay;

  beforeAll(async () => {
    await server.start();
    const { client_email: clientEmail, private_key: privateKeyPem } = server.serviceAccount;
    const app = { packageName: 'com.example.app', serviceAccount: { clientEmail, privateKeyPem } };
    const breaker = new CircuitBreaker(() => clock.nowMs());
    const clients = new GoogleClients({ api: server.url, token: `${server.url}/token` }, breaker);
    google = new GooglePlay(app, { clients, nowMs: () => clock.nowMs(), deadlineMs: 5_000 });
  });
  afterAll(() => server.close());

  const look = async (token: string): Promise<Look> => {
    clock.advanceMs(1_000);
    const found = await google.look(token);
    if ('failure' in found) throw new Error(found.message);
    return { atMs: clock.nowMs(), purchases: found.purchases };
  };

  /** Every look that can be taken at a life with one deferred change, or two. */
  const lived = async (isTwice: boolean, from = basic, to = plus) => {
    const first = play.subscribe(from);
    const looks = [await look(first.token)];
    clock.advanceMs(10 * DAY_MS);
    const second = first.replaceLaterBy(to);
    looks.push(await look(first.token), await look(second.token));
    clock.advanceMs(Math.max(0, second.expiryMs - clock.nowMs()));
    second.renew();
    looks.push(await look(second.token), await look(first.token));
    if (!isTwice) return { looks, tokens: [first.token, second.token] };
    clock.advanceMs(5 * DAY_MS);
    const third = second.replaceLaterBy(from);
    looks.push(await look(second.token), await look(third.token));
    clock.advanceMs(third.expiryMs - clock.nowMs());
    third.renew();
    looks.push(await look(third.token));
    return { looks, tokens: [first.token, second.token, third.token] };
  };

  it.each([false, true])(
    'is one life with its history, in whatever order it is heard, and however often (twice: %s)',
    async (isTwice) => {
      const { looks, tokens } = await lived(isTwice);
      const nowMs = clock.nowMs();
      const inOrder = record(looks);
      const changes = isTwice ? 2 : 1;
      expect(inOrder.chains.map(({ chainKey }) => chainKey)).toEqual([tokens[0]]);
      expect(inOrder.states[0]).toMatchObject({ status: 'active', givesAccess: true });
      expect(inOrder.events).toEqual([
        'INITIAL_PURCHASE',
        ...Array.from({ length: changes }, () => ['PRODUCT_CHANGE', 'RENEWAL']).flat(),
      ]);
      fc.assert(
        fc.property(fc.infiniteStream(fc.nat()), (random) => {
          const told = record(shuffled([...looks, ...looks.slice(0, 3)], random), nowMs);
          expect(
            told.chains.map(({ chainKey, facts }) => [chainKey, Object.keys(facts.periods).sort()]),
          ).toEqual(
            inOrder.chains.map(({ chainKey, facts }) => [chainKey, Object.keys(facts.periods).sort()]),
          );
          expect(told.states).toEqual(inOrder.states);
          const money = (chain: Chain | undefined): (number | null)[] =>
            Object.keys(chain?.facts.periods ?? {})
              .sort()
              .map(
                (key) =>
                  (chain?.facts.prices?.[key]?.value ?? chain?.facts.periods[key]?.value.price)
                    ?.amountMicros ?? null,
              );
          expect(money(told.chains[0])).toEqual(money(inOrder.chains[0]));
          const openings = (events: string[]): string[] =>
            events.filter((type) => ['INITIAL_PURCHASE', 'RENEWAL'].includes(type)).sort();
          expect(openings(told.events)).toEqual(openings(inOrder.events));
        }),
      );
    },
  );

  it('heard twice it changes nothing', async () => {
    const { looks } = await lived(true);
    const last = looks.slice(-1);
    expect(record([...looks, ...last, ...last])).toEqual(record(looks));
  });

  it('to another length of the same product is told, too', async () => {
    const { looks } = await lived(false, monthly, yearly);
    expect(record(looks.slice(0, 3)).events).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
  });

  it('replaced before it began: the life ends when the next one begins', async () => {
    const first = play.subscribe(basic);
    const looks = [await look(first.token)];
    clock.advanceMs(10 * DAY_MS);
    const second = first.replaceLaterBy(yearly);
    looks.push(await look(second.token));
    clock.advanceMs(5 * DAY_MS);
    const third = second.replaceBy(monthly);
    looks.push(await look(second.token), await look(third.token), await look(first.token));
    for (const order of [looks, [...looks].reverse()]) {
      const { chains, states } = record(order, clock.nowMs());
      const access = chains.map(({ chainKey }, index) => [chainKey, states[index]?.givesAccess]);
      expect(access.sort()).toEqual(
        [
          [first.token, false],
          [third.token, true],
        ].sort(),
      );
    }
  });

  it('without the permission to read orders it is one life for who saw it before it began', async () => {
    server.interfere = ({ path }) =>
      path.startsWith('/orders') ? googleError(401, 'permissionDenied') : undefined;
    const { looks, tokens } = await lived(false);
    server.interfere = () => undefined;
    const { chains, states, events } = record(looks);
    expect(chains.map(({ chainKey }) => chainKey)).toEqual([tokens[0]]);
    expect(states[0]).toMatchObject({ givesAccess: true, storeProductId: 'plus', planId: 'monthly' });
    expect(events).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL']);
  });
});
