import { ManualClock } from '../../../../libs/kernel/index.js';
import type { NotificationListenerService } from '../../database/connections/notification-listener.service.js';
import { KeyCacheService } from './key-cache.service.js';
import type { SecretKeyPrincipal } from '../../principal/principal.js';

const principal: SecretKeyPrincipal = {
  kind: 'secret_key',
  projectId: 'proj',
  keyId: 'key_1',
  permissions: new Set(),
};

/** A cache, its clock, and the notifications of the database. */
function cacheOf(connected = true) {
  const clock = new ManualClock(0);
  let notify: (projectId: string) => void = () => undefined;
  const listener = { connected, on: (_: string, handler: typeof notify) => (notify = handler) };
  const cache = new KeyCacheService(listener as unknown as NotificationListenerService, clock);
  return { cache, clock, keysChange: (projectId = 'proj') => notify(projectId) };
}

describe('cached keys', () => {
  it('forgets them when a key changes', () => {
    const { cache, keysChange } = cacheOf();
    cache.set('Bearer sk_1', principal, cache.version);
    expect(cache.get('Bearer sk_1')).toBe(principal);
    keysChange();
    expect(cache.get('Bearer sk_1')).toBeUndefined();
  });

  it('keeps none if a key changed during its lookup', () => {
    const { cache, keysChange } = cacheOf();
    const { version } = cache;
    keysChange();
    cache.set('Bearer sk_1', principal, version);
    expect(cache.get('Bearer sk_1')).toBeUndefined();
  });

  it('keeps those of other projects', () => {
    const { cache, keysChange } = cacheOf();
    const { version } = cache;
    keysChange('other');
    cache.set('Bearer sk_1', principal, version);
    keysChange('other');
    expect(cache.get('Bearer sk_1')).toBe(principal);
    keysChange('');
    expect(cache.get('Bearer sk_1')).toBeUndefined();
  });

  it.each([
    [true, 30_000],
    [false, 1_000],
  ])('trusts them while changes can be heard (%s) for %d ms', (connected, ttlMs) => {
    const { cache, clock } = cacheOf(connected);
    cache.set('Bearer sk_1', principal, cache.version);
    clock.advanceMs(ttlMs - 1);
    expect(cache.get('Bearer sk_1')).toBe(principal);
    clock.advanceMs(1);
    expect(cache.get('Bearer sk_1')).toBeUndefined();
  });
});
