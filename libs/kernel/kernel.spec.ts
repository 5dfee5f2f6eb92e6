import fc from 'fast-check';
import {
  addPeriods,
  canonicalJson,
  fewRandomBytes,
  newEventId,
  newId,
  newPublicKeySecret,
  newSecretKey,
  parsePeriod,
} from './index.js';

const at = (text: string): number => Date.parse(text);

describe('periods', () => {
  it.each([
    ['2026-01-31T10:00:00Z', 'P1M', 1, '2026-02-28T10:00:00Z'],
    ['2024-01-31T10:00:00Z', 'P1M', 1, '2024-02-29T10:00:00Z'],
    ['2026-01-31T10:00:00Z', 'P1M', 2, '2026-03-31T10:00:00Z'],
    ['2024-02-29T00:00:00Z', 'P1Y', 1, '2025-02-28T00:00:00Z'],
    ['2024-02-29T00:00:00Z', 'P1Y', 4, '2028-02-29T00:00:00Z'],
    ['2026-12-15T23:59:59Z', 'P2M', 1, '2027-02-15T23:59:59Z'],
    // In many countries the clocks change on this night; UTC does not.
    ['2026-03-29T00:30:00Z', 'P1D', 1, '2026-03-30T00:30:00Z'],
    ['2026-10-24T23:30:00Z', 'P1W', 1, '2026-10-31T23:30:00Z'],
    ['2026-01-01T00:00:00Z', 'PT5M', 12, '2026-01-01T01:00:00Z'],
  ])('%s + %s x %i is %s', (anchor, text, count, end) => {
    const period = parsePeriod(text);
    expect(period && addPeriods(at(anchor), period, count)).toBe(at(end));
  });

  it.each(['', 'P', 'PT', 'P0D', '1M', 'P-1M', 'P1.5M', 'p1m', 'P1M ', 'P1H'])('%j is no period', (text) => {
    expect(parsePeriod(text)).toBeNull();
  });

  it('ends after the start, and later with a larger count', () => {
    const anchors = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2099-01-01T00:00:00Z') });
    fc.assert(
      fc.property(
        anchors,
        fc.constantFrom('P1D', 'P1W', 'P1M', 'P6M', 'P1Y', 'PT1M'),
        fc.nat(24),
        (anchor, text, count) => {
          const period = parsePeriod(text);
          if (!period) throw new Error(text);
          expect(addPeriods(anchor, period, count + 1)).toBeGreaterThan(addPeriods(anchor, period, count));
          expect(addPeriods(anchor, period, 0)).toBe(anchor);
        },
      ),
    );
  });
});

describe('ids', () => {
  it('uses the prefix and length of their kind, and sorts by time', () => {
    expect(newId('project', 1_767_323_045_678)).toMatch(/^proj[0-9a-z]{10}$/);
    expect(newId('subscription', 1_767_323_045_678)).toMatch(/^sub_[0-9a-z]{16}$/);
    expect(newId('subscription', 1000) < newId('subscription', 1_767_323_045_678)).toBe(true);
    const many = new Set(Array.from({ length: 10_000 }, () => newId('customer', 1)));
    expect(many.size).toBe(10_000);
  });

  it('creates ids of keys and events in the forms that clients check', () => {
    expect(newPublicKeySecret()).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(newSecretKey()).toMatch(/^sk_[0-9a-f]{48}$/);
    expect(newEventId()).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
  });
});

it('writes the same canonical JSON for equal values, whatever the order of their keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const reversed = Object.fromEntries(Object.entries(object).toReversed());
      expect(canonicalJson(reversed)).toBe(canonicalJson(object));
      expect(JSON.parse(canonicalJson(object))).toEqual(JSON.parse(JSON.stringify(object)));
    }),
  );
});

describe('a few random bytes', () => {
  it('repeats none, even after the pool is refilled', () => {
    const given = Array.from({ length: 1_000 }, (_, index) => fewRandomBytes(12 + (index % 5)));
    expect(new Set(given.map((bytes) => bytes.subarray(0, 12).toString('hex'))).size).toBe(given.length);
    expect(given.some((bytes) => bytes.every((byte) => byte === 0))).toBe(false);
  });
});
