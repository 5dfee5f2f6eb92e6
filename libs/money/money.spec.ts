import fc from 'fast-check';
import { commissionBps, isCurrency, microsToMajor, toUsdMicros } from './index.js';
import table from './fx-reference.json' with { type: 'json' };

const micros = fc.integer({ min: -1e13, max: 1e13 });
const months: Record<string, Record<string, number>> = table.months;
const latest: Record<string, Record<string, number>> = table.latest;
const latestDay = Object.keys(latest)[0] ?? '';

describe('micros in units', () => {
  it.each([
    [9_990_000, 9.99],
    [0, 0],
    [5_000, 0.01],
    [4_999, 0],
    [-5_000, -0.01],
    [-9_990_000, -9.99],
    [1_234_567_890_000, 1_234_567.89],
  ])('%i is %f', (amount, units) => {
    expect(microsToMajor(amount)).toBe(units);
  });

  it('never lose more than half a cent, and treat both signs alike', () => {
    fc.assert(
      fc.property(micros, (amount) => {
        expect(Math.abs(microsToMajor(amount) * 1e6 - amount)).toBeLessThanOrEqual(5_000.01);
        expect(microsToMajor(-amount) + microsToMajor(amount)).toBe(0);
      }),
    );
  });
});

describe('USD conversion', () => {
  const rateOn = (currency: string, day: string) => toUsdMicros({ amountMicros: 1_000_000, currency, day });

  it('leaves USD as it is', () => {
    expect(toUsdMicros({ amountMicros: 9_990_000, currency: 'USD', day: '2026-01-02' })).toEqual({
      usdMicros: 9_990_000,
      rate: 1,
      rateDay: '2026-01-02',
      rateSource: 'identity',
    });
  });

  it('takes the exact day, else a day of the week before, else the month', () => {
    expect(rateOn('EUR', latestDay)).toMatchObject({ rate: latest[latestDay]?.EUR, rateDay: latestDay });
    const weekLater = new Date(Date.parse(latestDay) + 7 * 86_400_000).toISOString().slice(0, 10);
    expect(rateOn('EUR', weekLater)).toMatchObject({ rateDay: latestDay });
    expect(rateOn('EUR', '2025-05-20')).toMatchObject({
      rate: months['2025-05']?.EUR,
      rateDay: '2025-05-01',
    });
  });

  it('takes the newest month for the future and the first month for times before the table', () => {
    const names = Object.keys(months).sort();
    expect(rateOn('EUR', '2099-01-01')?.rateDay).toBe(`${names.at(-1)}-01`);
    expect(rateOn('EUR', '2010-01-01')?.rateDay).toBe(`${names[0]}-01`);
  });

  it('divides by the rate and rounds to whole micros', () => {
    const currencies = Object.keys(months['2025-05'] ?? {});
    fc.assert(
      fc.property(micros, fc.constantFrom(...currencies), (amountMicros, currency) => {
        const converted = toUsdMicros({ amountMicros, currency, day: '2025-05-20' });
        expect(Number.isInteger(converted?.usdMicros)).toBe(true);
        const exact = amountMicros / (converted?.rate ?? Number.NaN);
        expect(Math.abs((converted?.usdMicros ?? Number.NaN) - exact)).toBeLessThanOrEqual(
          0.5 + Math.abs(exact) * 1e-12,
        );
      }),
    );
  });

  it('knows the currencies of the world and no others', () => {
    expect(['USD', 'EUR', 'JPY', 'KWD', 'BRL', 'INR', 'CHF'].every(isCurrency)).toBe(true);
    expect(['XXX', 'usd', '', 'EURO', 'BTC', 'toString', '__proto__'].some(isCurrency)).toBe(false);
    expect(rateOn('XXX', '2026-01-01')).toBeNull();
  });
});

it('store commissions have a default for the mobile stores only', () => {
  expect([commissionBps('app_store'), commissionBps('play_store'), commissionBps('test_store')]).toEqual([
    3000, 1500, 0,
  ]);
});
