import { ManualClock } from '../../../../libs/kernel/index.js';
import type { NotificationListenerService } from '../../database/connections/notification-listener.service.js';
import type { CustomerTokenPrincipal } from '../../principal/principal.js';
import { CustomerTokenCacheService } from './customer-token-cache.service.js';

const ISSUER = 'https://tenure.example';
const FAR_MS = 3_600_000;

const principalOf = (sessionId: string, projectId = 'proj1'): CustomerTokenPrincipal => ({
  kind: 'customer_token',
  projectId,
  appId: 'app1',
  appType: 'app_store',
  appUserId: 'ada',
  sessionId,
  tokenId: 'at_1',
});

/** A cache, its clock, and the notifications of the database. */
function cacheOf(connected = true) {
  const clock = new ManualClock(0);
  const handlers = new Map<string, (payload: string) => void>();
  const on = (channel: string, handler: (payload: string) => void) => handlers.set(channel, handler);
  const listener = { connected, on } as unknown as NotificationListenerService;
  const cache = new CustomerTokenCacheService(listener, clock);
  const add = (token: string, principal: CustomerTokenPrincipal, endsAtMs = FAR_MS): void =>
    cache.set(ISSUER, token, principal, { version: cache.version, endsAtMs });
  const notify = (channel: string, payload: string) => handlers.get(channel)?.(payload);
  return { cache, clock, add, notify, has: (token: string) => cache.get(ISSUER, token) !== undefined };
}

describe('cached access tokens', () => {
  it('belongs to the server that issued them', () => {
    const { cache, add } = cacheOf();
    const principal = principalOf('cses_1');
    add('Bearer a', principal);
    expect(cache.get(ISSUER, 'Bearer a')).toBe(principal);
    expect(cache.get('https://other.example', 'Bearer a')).toBeUndefined();
  });

  it.each([
    ['a session', 'tenure_customer_sessions_ended', 'proj1/cses_1', [false, false, true, true]],
    ['every session of a project', 'tenure_customer_sessions_ended', 'proj1', [false, false, false, true]],
    ['an app of a project', 'tenure_keys_changed', 'proj1', [false, false, false, true]],
    ['something unknown', 'tenure_customer_sessions_ended', '', [false, false, false, false]],
  ])('forgets them when a session ends: %s', (_, channel, payload, left) => {
    const { add, notify, has } = cacheOf();
    add('a', principalOf('cses_1'));
    add('b', principalOf('cses_1'));
    add('c', principalOf('cses_2'));
    add('d', principalOf('cses_3', 'proj2'));
    notify(channel, payload);
    expect(['a', 'b', 'c', 'd'].map(has)).toEqual(left);
  });

  it('keeps none if a session ended during its lookup', () => {
    const { cache, notify, has } = cacheOf();
    const { version } = cache;
    notify('tenure_customer_sessions_ended', 'proj1/cses_1');
    cache.set(ISSUER, 'a', principalOf('cses_1'), { version, endsAtMs: FAR_MS });
    expect(has('a')).toBe(false);
  });

  it.each([
    [true, FAR_MS, 60_000],
    [false, FAR_MS, 1_000],
    [true, 5_000, 5_000],
    [false, 500, 500],
  ])(
    'trusts them while notifications arrive (%s) and the token ends at %d, for %d ms',
    (connected, endsAtMs, ms) => {
      const { clock, add, has } = cacheOf(connected);
      add('a', principalOf('cses_1'), endsAtMs);
      clock.advanceMs(ms - 1);
      expect(has('a')).toBe(true);
      clock.advanceMs(1);
      expect(has('a')).toBe(false);
    },
  );

  it('keeps at most 20,000, and drops the oldest', () => {
    const { add, has } = cacheOf();
    for (let n = 0; n <= 20_000; n++) add(`token ${n}`, principalOf(`cses_${n}`));
    expect(['token 0', 'token 1', 'token 20000'].map(has)).toEqual([false, true, true]);
  });
});
