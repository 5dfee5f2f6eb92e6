/** @jest-environment <rootDir>/test/support/time-zone-environment.mjs */
import { factsOf, type SoldSubscription, subscriptionLedger } from '../support/sales.js';
import { lastDayOf, windows } from '../../src/insights/charts/definitions/windows.js';
import { bucketsBetween, resolutions } from '../../src/insights/charts/question/buckets.js';
import { readDay } from '../../src/insights/charts/question/read-question.js';
import { deriveCustomer } from '../../src/insights/charts/facts/derive-customer.js';
import { DimsDictionary } from '../../src/insights/charts/facts/dims.js';
import type { CustomerSource } from '../../src/insights/charts/facts/source.model.js';

declare const setTimeZone: (zone: string) => void;

const at = (text: string): number => Date.parse(text);

/** A monthly subscription whose days change in one zone or another while it is another day in UTC. */
const subscription: SoldSubscription = {
  projectId: 'proj',
  appId: 'app',
  storeProductId: 'monthly',
  periods: [
    {
      startMs: at('2024-01-31T23:30:00Z'),
      endMs: at('2024-02-29T23:30:00Z'),
      kind: 'trial',
      amountMicros: 0,
    },
    // Clocks change in Los Angeles on 10 March, and in Auckland on 7 April.
    { startMs: at('2024-02-29T23:30:00Z'), endMs: at('2024-03-31T00:30:00Z'), amountMicros: 10_000_000 },
    { startMs: at('2024-03-31T00:30:00Z'), endMs: at('2024-04-30T00:30:00Z'), amountMicros: 10_000_000 },
    {
      startMs: at('2024-04-30T00:30:00Z'),
      endMs: at('2024-05-31T00:30:00Z'),
      amountMicros: 10_000_000,
      refund: { kind: 'full', atMs: at('2024-05-01T06:59:00Z'), amountMicros: 10_000_000 },
    },
  ],
};

function source(firstSeenAtMs: number): CustomerSource {
  const customer = {
    id: 'ann',
    firstSeenAtMs,
    country: 'US',
    platform: 'iOS',
    appVersion: null,
    attributes: {},
  };
  return {
    customer,
    chosen: { team: 'red' },
    subscriptions: [
      {
        id: 'sub',
        customerId: 'ann',
        store: 'app_store',
        environment: 'production',
        storeKey: 'sub',
        facts: factsOf(subscription),
      },
    ],
    oneTime: [],
    enrollments: [],
    ledger: subscriptionLedger(subscription, 'sub').map((row) => ({
      ...row,
      customerId: 'ann',
      environment: 'production' as const,
      purchaseId: 'sub',
      isOneTime: false,
    })),
  };
}

/** Everything that is computed in the server, and not by the database, which is asked for UTC. */
function figures(): unknown {
  const day = (text: string): number => readDay('start_date', text);
  const [from, to] = [day('2024-02-28'), day('2025-03-01')];
  return {
    customers: [at('2024-01-31T23:59:00Z'), at('2024-03-10T10:30:00Z')].map((firstSeenAtMs) => {
      const dictionary = new DimsDictionary();
      const derived = deriveCustomer(
        source(firstSeenAtMs),
        () => ({ productId: 'prod', duration: 'P1M' }),
        dictionary,
      );
      return { derived, dims: dictionary.all() };
    }),
    buckets: resolutions.map((resolution) =>
      (['monday', 'sunday'] as const).map((weekStartsOn) =>
        bucketsBetween(from, to, { resolution, weekStartsOn }),
      ),
    ),
    windows: windows.map((window) => lastDayOf(window, day('2024-02-29'))),
  };
}

describe('what charts store of a customer', () => {
  it.each(['America/Los_Angeles', 'Pacific/Auckland'])('stays the same in %s', (zone) => {
    setTimeZone('UTC');
    const expected = figures();
    setTimeZone(zone);
    // The process is there: it has another day.
    expect(new Date(at('2024-01-31T00:30:00Z')).getTimezoneOffset()).not.toBe(0);
    expect(figures()).toEqual(expected);
  });

  it('counts by UTC days, including the 29th of February', () => {
    setTimeZone('America/Los_Angeles');
    const derived = deriveCustomer(
      source(at('2024-02-05T00:00:00Z')),
      () => ({ productId: 'prod', duration: 'P1M' }),
      new DimsDictionary(),
    );
    expect(new Date(derived.cohortDayMs).toISOString()).toBe('2024-01-31T00:00:00.000Z');
    const sum = (column: 'monthly' | 'actives' | 'trials'): Record<string, number> => {
      const days: Record<string, number> = {};
      for (const { atMs, amounts } of derived.facts) {
        const day = new Date(atMs).toISOString().slice(0, 10);
        if (amounts[column]) days[day] = (days[day] ?? 0) + (amounts[column] ?? 0);
      }
      return Object.fromEntries(Object.entries(days).filter(([, value]) => value !== 0));
    };
    expect(sum('trials')).toEqual({ '2024-01-31': 1, '2024-02-29': -1 });
    expect(sum('actives')).toEqual({ '2024-02-29': 1, '2024-05-01': -1 });
    expect(sum('monthly')).toEqual({ '2024-02-29': 10_000_000, '2024-05-01': -10_000_000 });
  });
});
