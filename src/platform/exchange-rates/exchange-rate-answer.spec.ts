import fc from 'fast-check';
import { ExchangeRatesRefused, type KnownRates, readExchangeRates } from './exchange-rate-answer.js';

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const usual: Record<string, number> = { EUR: 0.85, GBP: 0.75, JPY: 157 };
const known: KnownRates = { nowMs, rateOf: (currency) => usual[currency] ?? null };
const read = (answer: unknown, more: Partial<KnownRates> = {}) =>
  readExchangeRates(typeof answer === 'string' ? answer : JSON.stringify(answer), { ...known, ...more });

const good = { base: 'USD', date: '2026-01-02', rates: { EUR: 0.851524, GBP: 0.74, JPY: 156.4, USD: 1 } };

describe('the answer of an exchange rate provider', () => {
  it('gives units per USD, of known currencies', () => {
    const rates = { ...good.rates, BTC: 0.00001, XXX: 'none', eur: undefined };
    expect(read({ ...good, rates, more: true })).toEqual({
      day: '2026-01-02',
      rates: { EUR: 0.851524, GBP: 0.74, JPY: 156.4 },
      implausible: [],
    });
  });

  it('accepts another base, and codes in lower case', () => {
    const answer = { base: 'eur', date: '2026-01-01', rates: { usd: 1.25, gbp: 0.9, jpy: 195.123456 } };
    expect(read(answer)).toEqual({
      day: '2026-01-01',
      rates: { EUR: 0.8, GBP: 0.72, JPY: 156.099 },
      implausible: [],
    });
  });

  it('leaves out single rates that are far from the known ones', () => {
    const answer = read({ ...good, rates: { ...good.rates, JPY: 1.5 } });
    expect([answer.rates, answer.implausible]).toEqual([{ EUR: 0.851524, GBP: 0.74 }, ['JPY']]);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '<html>'],
    ['an array', []],
    ['null', null],
    ['half an answer', JSON.stringify(good).slice(0, -9)],
    ['no base', { ...good, base: undefined }],
    ['a base that is no currency', { ...good, base: 'BTC' }],
    ['no day', { ...good, date: 1_767_323_045 }],
    ['an impossible day', { ...good, date: '2026-13-01' }],
    ['tomorrow', { ...good, date: '2026-01-03' }],
    ['last year', { ...good, date: '2025-12-24' }],
    ['no rates', { ...good, rates: null }],
    ['an empty list of rates', { ...good, rates: {} }],
    ['only unknown currencies', { ...good, rates: { BTC: 1 } }],
    ['a rate of zero', { ...good, rates: { ...good.rates, EUR: 0 } }],
    ['a negative rate', { ...good, rates: { ...good.rates, EUR: -1 } }],
    ['a rate that is a text', { ...good, rates: { ...good.rates, EUR: '0.85' } }],
    ['no way to USD', { ...good, base: 'EUR', rates: { GBP: 0.9 } }],
    [
      'rates upside down',
      { ...good, rates: { EUR: 1.176, GBP: 1.333, JPY: 0.00637, KRW: 0.0007, VND: 0.00004 } },
    ],
  ])('refuses %s', (_, answer) => {
    const far: KnownRates['rateOf'] = (currency) =>
      ({ KRW: 1450, VND: 26_000 })[currency] ?? known.rateOf(currency);
    expect(() => read(answer, { rateOf: far })).toThrow(ExchangeRatesRefused);
  });

  it('never makes anything but rates or a refusal', () => {
    const rate = fc.oneof(fc.double(), fc.string(), fc.constant(null));
    const rates = fc.dictionary(fc.constantFrom('USD', 'EUR', 'GBP', 'JPY', 'X'), rate);
    const answer = fc.record({
      base: fc.constantFrom('USD', 'EUR', 'x', null),
      date: fc.constantFrom('2026-01-02', '2026-01-01', '', 5),
      rates: fc.oneof(rates, fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.oneof(answer, fc.jsonValue()), (value) => {
        try {
          for (const [currency, perDollar] of Object.entries(read(value).rates)) {
            const factor = perDollar / (usual[currency] ?? Number.NaN);
            expect(factor > 1 / 3 && factor < 3).toBe(true);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(ExchangeRatesRefused);
        }
      }),
    );
  });
});
