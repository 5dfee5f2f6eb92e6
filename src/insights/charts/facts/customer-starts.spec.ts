import { moves } from './chart-facts.js';
import { type CustomerStart, movedDays } from './customer-starts.js';
import type { DerivedCustomer } from './derive-customer.js';

const dayMs = (day: string): number => Date.parse(`2026-${day}T00:00:00Z`);
const LAST_MS = dayMs('05-01');

type Fact = DerivedCustomer['facts'][number];

const fact = (
  day: string,
  amounts: Fact['amounts'],
  environment: Fact['environment'] = 'production',
): Fact => ({
  purchaseId: 'sub',
  factKey: day,
  environment,
  atMs: dayMs(day) + 1,
  rateDay: `2026-${day}`,
  dimsId: '',
  customerDimsId: '',
  peerDimsId: null,
  run: 0,
  move: moves.none,
  amounts,
});

const customer = (
  first: string,
  buyers: [Fact['environment'], string, string | null][],
  facts: Fact[],
): DerivedCustomer => ({
  customerId: 'ann',
  cohortDayMs: dayMs(first),
  customerDimsId: '',
  sandboxDimsId: null,
  facts,
  runs: [],
  payers: [],
  buyers: buyers.map(([environment, conversion, payment]) => ({
    environment,
    firstConversionDayMs: dayMs(conversion),
    firstPayingDayMs: payment === null ? null : dayMs(payment),
  })),
});

const start = (environment: string, first: string, firstPaying: string | null = null): CustomerStart => ({
  customerId: 'ann',
  environment,
  first: `2026-${first}`,
  firstPaying: firstPaying && `2026-${firstPaying}`,
});

describe('a change of first days', () => {
  const facts = [
    fact('01-02', { trials: 1 }),
    fact('01-09', { revenue: 10, actives: 1 }),
    fact('02-09', { actives: -1 }),
    fact('02-10', { revenue: 5 }, 'sandbox'),
    fact('05-01', { revenue: 10 }),
  ];
  const now = customer(
    '01-01',
    [
      ['production', '01-02', '01-09'],
      ['sandbox', '02-10', '02-10'],
    ],
    facts,
  );
  const sandbox = start('sandbox', '02-10', '02-10');
  const production = start('production', '01-02', '01-09');
  const ofProduction = ['production 2026-01-09', 'production 2026-02-09'];

  it.each([
    ['no day if nothing changed', [start('any', '01-01'), production, sandbox], []],
    [
      'all past ones with money or states if the first day changed',
      [start('any', '01-03'), production, sandbox],
      [...ofProduction, 'sandbox 2026-02-10'],
    ],
    [
      'those of one environment if its first payment changed',
      [start('any', '01-01'), start('production', '01-02', '02-01'), sandbox],
      ofProduction,
    ],
    [
      'those of one environment if its first conversion is new',
      [start('any', '01-01'), production],
      ['sandbox 2026-02-10'],
    ],
  ])('moves %s', (_, stored, expected) => {
    expect(movedDays(stored, [now], LAST_MS).map(({ environment, day }) => `${environment} ${day}`)).toEqual(
      expected,
    );
  });

  it('moves no day for a trial that is paid for the first time', () => {
    const trial = [fact('04-24', { trials: 1 }), fact('05-01', { trials: -1, revenue: 10, actives: 1 })];
    const paid = customer('04-24', [['production', '04-24', '05-01']], trial);
    const stored = [start('any', '04-24'), start('production', '04-24')];
    expect(movedDays(stored, [paid], LAST_MS)).toEqual([]);
  });

  it('moves the days of a buyer who no longer is one', () => {
    const given = customer('01-01', [], [fact('01-09', { revenue: 10 })]);
    const stored = [start('any', '01-01'), production];
    expect(movedDays(stored, [given], LAST_MS)).toEqual([{ environment: 'production', day: '2026-01-09' }]);
  });
});
