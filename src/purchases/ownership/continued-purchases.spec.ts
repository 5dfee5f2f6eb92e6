import {
  applySubscription,
  currentState,
  type EngineEvent,
  type LedgerEntry,
  newSubscription,
  type Subscription,
} from '../../../libs/engine/index.js';
import {
  AccountPurchases,
  noContext,
  type SignedRenewal,
  type SignedTransaction,
} from '../../../libs/stores/index.js';
import { completedReport } from './completed-report.js';
import { withContinuations } from './continued-purchases.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 8, 20);
const day = (days: number): number => START_MS + days * DAY_MS;
const place = { store: 'app_store', environment: 'production' } as const;

/** A sale of seats at 10 USD each, signed when it was made. */
interface Sale {
  id: string;
  /** The purchase that it belongs to. */
  of: string;
  onDay: number;
  seats: number;
  isAddition?: boolean;
  bundle?: boolean;
  previous?: string;
}

const bought: Sale = { id: '1000', of: '1000', onDay: 0, seats: 5 };
const added: Sale = { id: '1001', of: '1000', onDay: 3, seats: 2, isAddition: true };
const switched: Sale = { id: '2000', of: '2000', onDay: 10, seats: 7, bundle: true, previous: '1000' };
const addedLater: Sale = { ...switched, id: '2001', onDay: 12, seats: 1, isAddition: true };
const all = [bought, added, switched, addedLater];

/** All transactions of a purchase have its line item. */
function transactionOf(sale: Sale): SignedTransaction {
  const { id, of, onDay, seats, isAddition, bundle, previous } = sale;
  const first = all.find((one) => one.of === of) as Sale;
  return {
    transactionId: id,
    originalTransactionId: of,
    webOrderLineItemId: `5${of}`,
    productId: bundle ? 'plus_m' : 'pro_m',
    purchaseDate: day(onDay),
    originalPurchaseDate: day(first.onDay),
    expiresDate: day(first.onDay + 30),
    type: 'Auto-Renewable Subscription',
    environment: 'Production',
    inAppOwnershipType: 'PURCHASED',
    transactionReason: 'PURCHASE',
    signedDate: day(onDay),
    currency: 'USD',
    price: 1,
    quantity: seats,
    multiSeatInfo: { priceTiers: [{ price: 10_000, quantity: seats }] },
    ...(isAddition && { additionalTransactionReason: 'SEAT_ADDITION' }),
    ...(bundle && { bundleProductId: 'bundle_m' }),
    ...(previous !== undefined && { previousOriginalTransactionId: previous }),
  };
}

function renewalOf(sale: Sale, autoRenewStatus: 0 | 1): SignedRenewal {
  return {
    originalTransactionId: sale.of,
    autoRenewProductId: sale.bundle ? 'plus_m' : 'pro_m',
    autoRenewStatus,
    environment: 'Production',
    signedDate: day(13),
  };
}

/** The state, sales and events after reports, each with the sales that the App Store names together. */
function run(reports: Sale[][]) {
  let subscription: Subscription = newSubscription({ id: 'sub_1', ...place, storeKey: '1000' });
  const events: EngineEvent[] = [];
  const ledger: LedgerEntry[] = [];
  for (const report of reports) {
    const collected = new AccountPurchases(noContext);
    for (const sale of report) collected.addTransaction(transactionOf(sale));
    for (const sale of report) {
      const isLast = report.findLast(({ of }) => of === sale.of) === sale;
      const latest = transactionOf(sale);
      if (isLast) collected.addRenewal(sale.of, renewalOf(sale, sale.of === '2000' ? 1 : 0), { latest });
    }
    const purchases = collected.of('production');
    for (const purchase of purchases) {
      const whole = withContinuations(purchase, purchases, place, []);
      if (whole.kind !== 'subscription') throw new Error('no subscription');
      const change = applySubscription(subscription, completedReport(whole, subscription.facts), day(20));
      subscription = change.subscription;
      events.push(...change.events);
      ledger.push(...change.ledger);
    }
  }
  const paid = (id: string): number =>
    ledger
      .filter(({ storeIds }) => storeIds.includes(id))
      .reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0) / 1_000_000;
  const state = currentState(subscription, day(20));
  return { state, paid: all.map(({ id }) => paid(id)), types: events.map(({ type }) => type), ledger };
}

describe('a switch to a bundle with added seats', () => {
  it.each<[string, Sale[][]]>([
    ['everything in one report', [all]],
    ['everything in one report, newest first', [all.toReversed()]],
    ['the first sale alone, then everything', [[bought], all]],
    ['the first sale alone, then what is new', [[bought], [added, switched, addedLater]]],
    [
      'both sales before the switch, then what is new',
      [
        [bought, added],
        [switched, addedLater],
      ],
    ],
    [
      'the switch, then added seats on both sides',
      [
        [bought, switched],
        [added, addedLater],
      ],
    ],
    ['added seats first', [[added], [addedLater, bought, switched]]],
    ['the same report twice', [all, all]],
  ])('books each sale once and keeps one subscription: %s', (_, reports) => {
    const { state, paid, types, ledger } = run(reports);
    const keys = ledger.map(({ periodKey, kind, kindSeq }) => `${periodKey} ${kind} ${kindSeq}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(paid.slice(0, 2)).toEqual([50, 20]);
    expect(types.filter((type) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
    expect(state).toMatchObject({ givesAccess: true, accessEndsAtMs: day(40) });
    expect(state.autoRenewalStatus).toBe('will_renew');
    // Keys of sales with one line item depend on which came first.
    const { storeIdentifiers } = state;
    expect(state).toEqual({ ...run([all]).state, storeIdentifiers });
  });
});
