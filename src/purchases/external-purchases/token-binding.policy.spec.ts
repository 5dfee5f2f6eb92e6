import { noSubscriptionFacts } from '../../../libs/engine/index.js';
import type { OutsidePurchase } from '../recording/outside-purchase.js';
import {
  type BindableToken,
  type BindingDecision,
  decideBindings,
  namedReplacement,
  isTooOldFor,
} from './token-binding.policy.js';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_000 * HOUR_MS;

const purchase = (more: Partial<OutsidePurchase> = {}): OutsidePurchase => ({
  id: 'sub_0',
  key: 'sub_1',
  store: 'stripe',
  environment: 'production',
  customerId: 'ada',
  facts: noSubscriptionFacts,
  boughtAtMs: NOW_MS,
  tokenIds: [],
  soldWith: null,
  ...more,
});
const token = (id: string, more: Partial<BindableToken> = {}): BindableToken => ({
  id,
  appId: 'app',
  store: 'apple',
  environment: 'production',
  customerId: 'ada',
  state: 'open',
  atMs: NOW_MS - HOUR_MS,
  hasToken: true,
  ...more,
});
const decide = (
  purchases: OutsidePurchase[],
  tokens: BindableToken[],
  { newest = true, known = {} }: { newest?: boolean; known?: Record<string, string> } = {},
): BindingDecision =>
  decideBindings({
    purchases,
    tokens,
    known: new Map(Object.entries(known).map(([key, tokenId]) => [key, { tokenId, boundBy: 'action' }])),
    newestApps: new Set(newest ? ['app'] : []),
  });
const boundTo = (decision: BindingDecision): string[] =>
  decision.bindings.map(({ purchaseKey, tokenId, boundBy }) => `${purchaseKey} ${tokenId} ${boundBy}`);

describe('bindings of outside purchases to tokens', () => {
  it('binds to the token whose id the purchase names, also to a used one', () => {
    for (const state of ['open', 'used', 'reported_empty'] as const) {
      const found = decide([purchase({ tokenIds: ['a'] })], [token('a', { state }), token('b')]);
      expect(found).toEqual({
        bindings: [{ purchaseKey: 'sub_1', store: 'stripe', tokenId: 'a', boundBy: 'id' }],
        ignored: [],
      });
    }
  });

  it('ignores and counts an id that is unknown, of another customer, or unusable', () => {
    const tokens = [
      token('other', { customerId: 'grace' }),
      token('erased', { customerId: null }),
      token('foreign', { state: 'foreign' }),
      token('good'),
    ];
    const tokenIds = ['none', 'other', 'erased', 'foreign', 'good'];
    const found = decide([purchase({ tokenIds })], tokens, { newest: false });
    expect(boundTo(found)).toEqual(['sub_1 good id']);
    expect(found.ignored).toEqual(['unknown_id', 'other_customer', 'other_customer', 'unusable']);
  });

  it('binds to the only open token of the last 24 hours, if the app says so', () => {
    expect(boundTo(decide([purchase()], [token('a')]))).toEqual(['sub_1 a newest']);
    expect(boundTo(decide([purchase()], [token('a', { atMs: NOW_MS - 24 * HOUR_MS })]))).toHaveLength(1);
    expect(boundTo(decide([purchase()], [token('a', { atMs: NOW_MS })]))).toHaveLength(1);
    expect(decide([purchase()], [token('a')], { newest: false }).bindings).toEqual([]);
    expect(decide([purchase()], [token('a', { appId: 'other' })]).bindings).toEqual([]);
  });

  it.each<[string, Partial<BindableToken>]>([
    ['older than 24 hours', { atMs: NOW_MS - 24 * HOUR_MS - 1 }],
    ['newer than the purchase', { atMs: NOW_MS + 1 }],
    ['used', { state: 'used' }],
    ['reported as empty', { state: 'reported_empty' }],
    ['of another customer', { customerId: 'grace' }],
    ['of another environment', { environment: 'sandbox' }],
    ['without the token of the store', { hasToken: false }],
  ])('never picks a token that is %s', (_, more) => {
    expect(decide([purchase()], [token('a', more)]).bindings).toEqual([]);
  });

  it('picks none of two open tokens', () => {
    expect(decide([purchase()], [token('a'), token('b')]).bindings).toEqual([]);
  });

  it('picks an open token for one purchase only', () => {
    const found = decide([purchase(), purchase({ key: 'sub_2' })], [token('a')]);
    expect(boundTo(found)).toEqual(['sub_1 a newest']);
  });

  it('binds what was sold with a subscription to its token, in any order', () => {
    const fee = purchase({ key: 'il_1', soldWith: 'sub_1', tokenIds: ['b'] });
    const tokens = [token('a'), token('b', { customerId: 'grace' })];
    expect(boundTo(decide([fee, purchase()], tokens))).toEqual(['sub_1 a newest', 'il_1 a newest']);
    const later = decide([fee], tokens, { known: { sub_1: 'c' } });
    expect(later).toEqual({
      bindings: [{ purchaseKey: 'il_1', store: 'stripe', tokenId: 'c', boundBy: 'action' }],
      ignored: [],
    });
  });

  it('accepts purchases up to a day older than the token', () => {
    expect(isTooOldFor({ atMs: NOW_MS }, NOW_MS - 24 * HOUR_MS)).toBe(false);
    expect(isTooOldFor({ atMs: NOW_MS }, NOW_MS - 24 * HOUR_MS - 1)).toBe(true);
  });
});

describe('bound purchases that name another token', () => {
  const known = { appId: 'app', tokenId: 'first' };
  const named = (tokenIds: string[], tokens: BindableToken[]): string | undefined =>
    namedReplacement({ tokenIds, customerId: 'ada' }, known, tokens)?.id;

  it('uses the first that fits', () => {
    const tokens = [token('first', { state: 'used' }), token('second'), token('third')];
    expect(named(['first'], tokens)).toBeUndefined();
    expect(named(['second', 'first'], tokens)).toBe('second');
    expect(named(['lost', 'third', 'second'], tokens)).toBe('third');
  });

  it.each<[string, Partial<BindableToken>]>([
    ['belongs to another customer', { customerId: 'bob' }],
    ['belongs to another app', { appId: 'other' }],
    ['is refused', { state: 'refused' }],
    ['was used at Google', { store: 'google', state: 'used' }],
  ])('ignores one that %s', (_, more) => {
    expect(named(['second'], [token('second', more)])).toBeUndefined();
  });
});
