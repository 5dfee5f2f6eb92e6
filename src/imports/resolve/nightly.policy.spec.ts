import { nextNightMs } from './nightly.policy.js';

const MIDNIGHT_MS = Date.UTC(2026, 0, 2);
const HOUR_MS = 3_600_000;

describe('the nightly questions to a store', () => {
  it.each(['app1', 'app2', 'app3'])('polls %s once a day, between 2 and 5 o’clock', (appId) => {
    const firstMs = nextNightMs(appId, MIDNIGHT_MS);
    expect(firstMs - MIDNIGHT_MS).toBeGreaterThanOrEqual(2 * HOUR_MS);
    expect(firstMs - MIDNIGHT_MS).toBeLessThan(5 * HOUR_MS);
    expect(nextNightMs(appId, firstMs - 1)).toBe(firstMs);
    expect(nextNightMs(appId, firstMs)).toBe(firstMs + 24 * HOUR_MS);
  });

  it('polls different apps at different times', () => {
    expect(nextNightMs('app1', MIDNIGHT_MS)).not.toBe(nextNightMs('app2', MIDNIGHT_MS));
  });
});
