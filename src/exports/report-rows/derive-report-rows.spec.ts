import {
  type AddOnFact,
  noSubscriptionFacts,
  type PeriodFact,
  type SubscriptionFacts,
} from '../../../libs/engine/index.js';
import { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { deriveReportRows } from './derive-report-rows.js';
import type { ReportRows } from './report-rows.model.js';
import type { ReportSource, SourceLedgerRow, SourceSubscription } from './report-source.model.js';

const at = (text: string): number => Date.parse(`2026-${text}T00:00:00Z`);
const iso = (text: string): string => `2026-${text}T00:00:00.000Z`;
const fact = <T>(value: T) => ({ at: at('03-01'), src: 'api' as const, value });
const usd = (micros: number | null) => ({ amountMicros: micros, currency: 'USD', source: 'store' as const });

const emptyCatalog = new Catalog('proj', {
  version: 1,
  transferBehavior: 'transfer',
  sandboxTransferBehavior: null,
  hasOfferingOverrides: false,
  hasImports: false,
  sdkEvents: 'off',
  apps: [],
  products: [],
  entitlements: [],
  productEntitlements: [],
  offerings: [],
  paywalls: [],
  uiConfigRefs: null,
  currencies: [],
  holdoutPercentage: 0,
  targetingRules: [],
  experiments: [],
});

const customer: ReportSource['customer'] = {
  id: 'cus_1',
  originalAppUserId: '$anonymous',
  firstSeenAtMs: at('01-01'),
  lastSeenAtMs: null,
  lastSeenPlatform: null,
  lastSeenAppVersion: null,
  lastSeenCountry: 'FR',
  isOnTestClock: false,
  testClockMs: null,
  aliases: [],
  attributes: [],
  enrollment: null,
};

function period(start: string, end: string, more: Partial<PeriodFact> = {}): PeriodFact {
  return {
    storeProductId: 'pro',
    planId: null,
    offerCode: null,
    kind: 'normal',
    isRenewal: false,
    startMs: at(start),
    endMs: at(end),
    price: usd(10_000_000),
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: `t-${start}`,
    country: null,
    ...more,
  };
}

function charge(periodKey: string, more: Partial<SourceLedgerRow> = {}): SourceLedgerRow {
  return {
    purchaseId: 'sub_1',
    periodKey,
    kind: 'purchase',
    kindSeq: 0,
    amountMicros: 10_000_000,
    usdMicros: 10_000_000,
    currency: 'USD',
    commissionBps: 3_000,
    taxBps: 0,
    country: null,
    purchasedAtMs: at('01-10'),
    ...more,
  };
}

interface Given {
  periods: Record<string, PeriodFact>;
  facts?: Partial<SubscriptionFacts>;
  opened?: string[];
  ledger?: SourceLedgerRow[];
  subscription?: Partial<SourceSubscription>;
  customer?: Partial<ReportSource['customer']>;
}

function derive({ periods, facts, opened, ledger, subscription, customer: who }: Given): ReportRows {
  const known: SubscriptionFacts = {
    ...noSubscriptionFacts,
    periods: Object.fromEntries(Object.entries(periods).map(([key, value]) => [key, fact(value)])),
    ...facts,
  };
  return deriveReportRows({
    customer: { ...customer, ...who },
    subscriptions: [
      {
        id: 'sub_1',
        customerId: 'cus_1',
        appId: 'app1',
        store: 'app_store',
        environment: 'production',
        storeKey: 'key',
        facts: known,
        emitted: {
          opened: opened ?? Object.keys(periods),
          accessOpen: true,
          unsubscribeOpen: false,
          expirations: {},
        },
        grantedEntitlementId: null,
        ...subscription,
      },
    ],
    oneTime: [],
    ledger: ledger ?? Object.keys(periods).map((key) => charge(key)),
    catalog: emptyCatalog,
    nowMs: at('03-01'),
  });
}

describe('report rows', () => {
  it('has no row for a purchase that is pending', () => {
    const { transactions, subscriptions } = derive({
      periods: { a: period('01-10', '02-10') },
      facts: { pending: fact(true) },
      opened: [],
    });
    expect([transactions, subscriptions]).toEqual([[], []]);
  });

  it('divides the money of a charge among its products', () => {
    const addOn: AddOnFact = {
      ...period('01-10', '02-10', { storeProductId: 'extra', price: usd(4_000_000) }),
      chargeKey: 'a',
      renews: true,
    };
    const { transactions } = derive({
      periods: { a: period('01-10', '02-10') },
      facts: { addOns: { b: fact(addOn) } },
      opened: ['a', 'b'],
      ledger: [
        charge('a', { amountMicros: 14_000_000, usdMicros: 14_000_000 }),
        charge('a', { kind: 'refund', amountMicros: -7_000_000, usdMicros: -7_000_000 }),
      ],
    });
    expect(
      transactions.map((row) => [
        row.storeTransactionId,
        row.originalStoreTransactionId,
        row.purchasePriceInUsd,
        row.priceInUsd,
        row.priceInPurchasedCurrency,
      ]),
    ).toEqual([
      ['t-01-10', 't-01-10', '10.000000', '5.000000', '5.000000'],
      ['t-01-10/extra', 't-01-10/extra', '4.000000', '2.000000', '2.000000'],
    ]);
  });

  it('ends a period at the start of the next one, and shows no refund for an unused part that was credited', () => {
    const { transactions } = derive({
      periods: {
        a: period('01-10', '02-10'),
        b: period('01-20', '02-20', { storeProductId: 'plus', isRenewal: true }),
      },
      facts: {
        continuations: { next: fact({ sinceMs: at('01-20') }) },
        refunds: {
          a: fact({ revokedAtMs: at('01-20'), kind: 'full', amountMicros: null, isReasonUnknown: true }),
        },
      },
      ledger: [
        charge('a'),
        charge('a', { kind: 'refund', amountMicros: -6_000_000, usdMicros: -6_000_000 }),
        charge('b', { kind: 'renewal' }),
      ],
    });
    expect(transactions.map((row) => [row.effectiveEndTime, row.refundedAt, row.priceInUsd])).toEqual([
      [iso('01-20'), null, '4.000000'],
      [iso('02-20'), null, '10.000000'],
    ]);
  });

  it('counts a correction with the charge, and a later fee with neither price', () => {
    const { transactions } = derive({
      periods: { a: period('01-10', '02-10') },
      ledger: [
        charge('a', { amountMicros: null, usdMicros: null, currency: null }),
        charge('a', { kind: 'correction', amountMicros: 8_000_000, usdMicros: 9_000_000, currency: 'EUR' }),
        charge('a', {
          kind: 'correction',
          kindSeq: 1,
          amountMicros: -8_000_000,
          usdMicros: -9_000_000,
          currency: 'EUR',
        }),
        charge('a', {
          kind: 'correction',
          kindSeq: 2,
          amountMicros: 8_000_000,
          usdMicros: 9_000_000,
          currency: 'EUR',
        }),
      ],
    });
    expect(transactions[0]).toMatchObject({
      purchasedCurrency: 'EUR',
      priceInUsd: '9.000000',
      purchasePriceInPurchasedCurrency: '8.000000',
    });
  });

  it('shows no money for an unknown price', () => {
    const { transactions } = derive({
      periods: { a: period('01-10', '02-10') },
      ledger: [charge('a', { amountMicros: null, usdMicros: null, currency: null, country: 'gb' })],
    });
    expect(transactions[0]).toMatchObject({
      priceInUsd: null,
      purchasePriceInUsd: null,
      purchasedCurrency: null,
      priceInPurchasedCurrency: null,
      country: 'GB',
      countrySource: 'from_sdk',
      takehomePercentage: '0.700000',
    });
  });

  it('numbers periods by their start, whichever becomes known first', () => {
    const later = { b: period('02-10', '03-10', { isRenewal: true }) };
    expect(derive({ periods: later }).transactions.map((row) => row.renewalNumber)).toEqual([1]);
    const both = derive({
      periods: { ...later, a: period('01-10', '02-10', { kind: 'trial' }) },
    }).transactions;
    expect(
      both.map((row) => [row.periodKey, row.renewalNumber, row.isTrialConversion, row.offerType]),
    ).toEqual([
      ['a', 1, false, 'introductory_offer'],
      ['b', 2, true, null],
    ]);
  });

  it('keeps the end that the store reports, also before the start, unless nothing renews', () => {
    const odd = period('01-10', '01-05');
    expect(derive({ periods: { a: odd } }).transactions[0]).toMatchObject({
      endTime: iso('01-05'),
      effectiveEndTime: iso('01-10'),
    });
    const prepaid = period('01-10', '02-10', { kind: 'prepaid' });
    expect(derive({ periods: { a: prepaid } }).transactions[0]).toMatchObject({
      isAutoRenewable: false,
      endTime: null,
      effectiveEndTime: iso('02-10'),
    });
  });

  it('counts purchases on a test clock as sandbox', () => {
    const rows = derive({
      periods: { a: period('01-10', '02-10') },
      customer: { isOnTestClock: true, testClockMs: at('01-11') },
    });
    expect(rows.transactions[0]?.isSandbox).toBe(true);
    expect(rows.subscriptions[0]).toMatchObject({ environment: 'sandbox', status: 'active' });
  });

  it('has the newest identified id, sorted aliases and attributes by kind', () => {
    const alias = (appUserId: string, isAnonymous: boolean, createdAtMs: number) => ({
      ...{ appUserId, isAnonymous, createdAtMs },
    });
    const { customer: row } = derive({
      periods: {},
      customer: {
        aliases: [
          alias('zoe', false, 1),
          alias('bob', false, 2),
          alias('ann', false, 2),
          alias('$x', true, 3),
        ],
        attributes: [
          { name: 'b', value: '1', updatedAtMs: 5 },
          { name: '$email', value: 'a@b.c', updatedAtMs: 6 },
        ],
      },
    });
    expect(row).toMatchObject({
      lastSeenAppUserId: 'bob',
      aliases: ['$x', 'ann', 'bob', 'zoe'],
      reservedAttributes: { $email: { value: 'a@b.c', updated_at_ms: 6 } },
      customAttributes: { b: { value: '1', updated_at_ms: 5 } },
    });
  });
});
