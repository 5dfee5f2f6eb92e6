import { grantEnd, isNear } from './grant-until.js';

const at = (iso: string) => Date.parse(iso);

describe('the end of a grant', () => {
  it.each([
    ['day', '2026-01-31T10:00:00Z', '2026-02-01T10:00:00Z'],
    ['week', '2026-01-31T10:00:00Z', '2026-02-07T10:00:00Z'],
    ['month', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
    ['quarter', '2025-11-30T10:00:00Z', '2026-02-28T10:00:00Z'],
    ['year', '2024-02-29T10:00:00Z', '2025-02-28T10:00:00Z'],
  ] as const)('adds one %s to %s: %s', (duration, now, end) => {
    expect(grantEnd(duration, null, at(now))).toBe(at(end));
  });

  it('lies far in the future for a lifetime', () => {
    expect(grantEnd('lifetime', null, 0)).toBe(at('2200-01-01T00:00:00Z'));
  });

  it('requires a custom end to be in the future', () => {
    expect(grantEnd('own', 5, 4)).toBe(5);
    expect(grantEnd('own', 4, 4)).toBeNull();
    expect(grantEnd('own', null, 4)).toBeNull();
  });

  it('counts as near another within two hours', () => {
    const hour = 3_600_000;
    expect(isNear(10 * hour, [12 * hour])).toBe(true);
    expect(isNear(10 * hour, [13 * hour, null])).toBe(false);
    expect(isNear(null, [1])).toBe(false);
  });
});
