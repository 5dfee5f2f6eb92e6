import fc from 'fast-check';
import { isCurrency, toUsdMicros, usdRate } from './index.js';
import { rowFor } from './fx.js';
import { rateRows } from './fx-table.js';
import table from './fx-reference.json' with { type: 'json' };

const months: Record<string, Record<string, number>> = table.months;
const latest: Record<string, Record<string, number>> = table.latest;
const monthDays: Record<string, string> = table.monthDays;
const monthNames = Object.keys(months).sort();
const [firstMonth = '', lastMonth = ''] = [monthNames[0], monthNames.at(-1)];
const latestDay = Object.keys(latest)[0] ?? '';

const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
const rateOn = (currency: string, day: string) => toUsdMicros({ amountMicros: 1_000_000, currency, day });

describe('USD conversion', () => {
  it('leaves USD as it is', () => {
    expect(toUsdMicros({ amountMicros: 9_990_000, currency: 'USD', day: '2026-01-02' })).toEqual({
      usdMicros: 9_990_000,
      rate: 1,
      rateDay: '2026-01-02',
      rateSource: 'identity',
    });
  });

  it('divides by the rate', () => {
    const rate = months['2025-05']?.EUR ?? Number.NaN;
    expect(toUsdMicros({ amountMicros: 9_990_000, currency: 'EUR', day: '2025-05-20' })).toEqual({
      usdMicros: Math.round(9_990_000 / rate),
      rate,
      rateDay: monthDays['2025-05'],
      rateSource: 'static',
    });
  });

  it('never loses more than half a micro, and treats both signs alike', () => {
    const row = fc.constantFrom(...[...rateRows].filter(([code]) => code !== 'USD').map(([code]) => code));
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), row, (amountMicros, currency) => {
        const { usdMicros = Number.NaN, rate = Number.NaN } =
          toUsdMicros({ amountMicros, currency, day: '2025-05-20' }) ?? {};
        const scaledRate = BigInt(Math.round(rate * 1e9));
        const error = BigInt(usdMicros) * scaledRate - BigInt(amountMicros) * 1_000_000_000n;
        expect(2n * (error < 0n ? -error : error) <= scaledRate).toBe(true);
        expect(toUsdMicros({ amountMicros: -amountMicros, currency, day: '2025-05-20' })?.usdMicros).toBe(
          -usdMicros + 0,
        );
      }),
    );
  });

  it('refuses invalid amounts and days', () => {
    expect(() => toUsdMicros({ amountMicros: 0.5, currency: 'EUR', day: '2025-05-20' })).toThrow(RangeError);
    expect(() => rateOn('EUR', 'yesterday')).toThrow(RangeError);
  });
});

describe('the row of a day', () => {
  it('uses the daily one on its day and in the week after it', () => {
    for (let later = 0; later <= 7; later++) {
      const found = rateOn('EUR', addDays(latestDay, later));
      expect(found).toMatchObject({ rate: latest[latestDay]?.EUR, rateDay: latestDay });
    }
  });

  it('uses the monthly one on every other day of the month', () => {
    for (const month of monthNames.filter((name) => !latestDay.startsWith(name))) {
      for (const day of ['01', '14', '15', '28']) {
        const expected = { rate: months[month]?.EUR, rateDay: monthDays[month] };
        expect(rateOn('EUR', `${month}-${day}`)).toMatchObject(expected);
      }
    }
    expect(rateOn('EUR', addDays(latestDay, -1))).toMatchObject({ rate: months[lastMonth]?.EUR });
  });

  it('uses the nearest older one in a month without a row', () => {
    const missing = ['2024-08', '2024-10'].filter((month) => !(month in months));
    expect(missing).toHaveLength(2);
    expect(rateOn('EUR', '2024-08-20')).toMatchObject({ rate: months['2024-07']?.EUR });
    expect(rateOn('EUR', '2024-10-20')).toMatchObject({ rate: months['2024-09']?.EUR });
  });

  it('uses the newest one for times after the table, and the first for times before it', () => {
    expect(rateOn('EUR', addDays(latestDay, 60))).toMatchObject({ rateDay: latestDay });
    expect(rateOn('EUR', '2099-01-01')).toMatchObject({ rateDay: latestDay });
    expect(rateOn('EUR', '2010-01-01')).toMatchObject({ rateDay: monthDays[firstMonth] });
  });

  it('has the currency, even if some rows lack it', () => {
    expect(months['2025-11']).not.toHaveProperty('MNT');
    expect(rateOn('MNT', '2025-11-20')).toMatchObject({ rate: months['2025-10']?.MNT });
    expect(months['2025-03']).not.toHaveProperty('XCG');
    expect(rateOn('XCG', '2024-06-01')).toMatchObject({ rate: months['2025-04']?.XCG });
  });

  it('uses a daily one for a week only; then the monthly one takes precedence', () => {
    const may = { day: '2025-05-15', month: '2025-05', rate: 2 };
    const first = { day: '2025-05-01', month: null, rate: 1 };
    const third = { day: '2025-05-03', month: null, rate: 3 };
    const rows = [first, third, may];
    const chosen = ['2025-05-01', '2025-05-02', '2025-05-03', '2025-05-10', '2025-05-11', '2025-04-30'];
    expect(chosen.map((day) => rowFor(rows, day))).toEqual([first, first, third, third, may, first]);
    expect(rowFor([first, third], '2025-05-11')).toBe(third);
    expect(rowFor([], '2025-05-11')).toBeUndefined();
  });

  it('matches the documented one', () => {
    const anyDay = fc.integer({ min: 0, max: 1500 }).map((count) => addDays('2023-06-01', count));
    fc.assert(
      fc.property(fc.constantFrom('EUR', 'JPY', 'XCG', 'MNT', 'ZWG'), anyDay, (currency, day) => {
        const rows = rateRows.get(currency) ?? [];
        const daily = rows.filter(({ month }) => month === null);
        const inWeek = daily.find((row) => row.day <= day && addDays(row.day, 7) >= day);
        const ofMonth = rows.find(({ month }) => month === day.slice(0, 7));
        const older = rows.filter((row) => row.day <= day).at(-1);
        const expected = inWeek ?? ofMonth ?? older ?? rows[0];
        expect(rateOn(currency, day)).toMatchObject({ rate: expected?.rate, rateDay: expected?.day });
      }),
    );
  });
});

describe('fetched rates', () => {
  const row = (day: string, rate: number) => ({ day, month: null, rate });
  const fetched = new Map([['EUR', [row('2025-06-01', 0.5), row('2025-06-03', 0.6)]]]);
  const convert = (day: string, currency = 'EUR') =>
    toUsdMicros({ amountMicros: 3_000_000, currency, day }, fetched);

  it('takes precedence over the table on their day and in the week after it', () => {
    const onDay = { usdMicros: 6_000_000, rate: 0.5, rateDay: '2025-06-01', rateSource: 'http' };
    const later = { usdMicros: 5_000_000, rate: 0.6, rateDay: '2025-06-03', rateSource: 'http' };
    expect(convert('2025-06-01')).toEqual(onDay);
    expect(convert('2025-06-02')).toEqual(onDay);
    expect(convert('2025-06-03')).toEqual(later);
    expect(convert('2025-06-10')).toEqual(later);
  });

  it('leaves other days and currencies to the table', () => {
    for (const day of ['2025-05-31', '2025-06-11']) {
      expect(convert(day)).toEqual(toUsdMicros({ amountMicros: 3_000_000, currency: 'EUR', day }));
    }
    expect(convert('2025-06-02', 'JPY')).toMatchObject({ rateSource: 'static' });
    expect(convert('2025-06-02', 'USD')).toMatchObject({ rateSource: 'identity', usdMicros: 3_000_000 });
    expect(convert('2025-06-02', 'XXX')).toBeNull();
  });

  it('uses the nearest older rates again after their week', () => {
    const day = addDays(latestDay, 30);
    const newer = new Map([['EUR', [row(day, 0.5)]]]);
    const far = { amountMicros: 1_000_000, currency: 'EUR', day: addDays(day, 100) };
    expect(toUsdMicros(far, newer)).toMatchObject({ rate: 0.5, rateDay: day, rateSource: 'http' });
    expect(usdRate('EUR', far.day, newer)).toBe(0.5);
    expect(usdRate('XXX', far.day, newer)).toBeNull();
  });
});

describe('known currencies', () => {
  it("contains the world's currencies and no others", () => {
    expect(['USD', 'EUR', 'JPY', 'KWD', 'BRL', 'INR', 'CHF', 'XOF', 'ZWG'].every(isCurrency)).toBe(true);
    const others = ['XXX', 'XAU', 'XDR', 'HRK', 'usd', '', 'EURO', 'BTC', 'toString', '__proto__'];
    expect(others.filter(isCurrency)).toEqual([]);
    expect(rateOn('XXX', '2026-01-01')).toBeNull();
    expect(rateOn('constructor', '2026-01-01')).toBeNull();
  });

  it('lists about 155, each with positive rates of six significant digits', () => {
    expect(rateRows.size).toBeGreaterThan(150);
    for (const rows of rateRows.values()) {
      for (const { rate } of rows) {
        expect(rate).toBeGreaterThan(0);
        expect(Number(rate.toPrecision(6))).toBe(rate);
      }
    }
  });

  it('rejects a rate that is far from both neighbouring rows', () => {
    const agree = (a: number, b: number | undefined): boolean =>
      b !== undefined && Math.max(a / b, b / a) < 3;
    for (const [currency, rows] of rateRows) {
      const odd = rows.filter(
        ({ rate }, index) => !agree(rate, rows[index - 1]?.rate) && !agree(rate, rows[index + 1]?.rate),
      );
      expect([currency, odd]).toEqual([currency, []]);
    }
  });

  it('keeps their pegs to the dollar', () => {
    for (const [currency, peg] of Object.entries({
      AED: 3.6725,
      SAR: 3.75,
      BHD: 0.376,
      JOD: 0.709,
      OMR: 0.3845,
    })) {
      for (const { rate } of rateRows.get(currency) ?? []) {
        expect(Math.abs(rate / peg - 1)).toBeLessThan(0.01);
      }
    }
  });
});
