import fc from 'fast-check';
import {
  applySubscription,
  currentState,
  type EngineEvent,
  type LedgerEntry,
  newSubscription,
  type Subscription,
} from '../../engine/index.js';
import type { VerifiedPurchase } from '../contract.js';
import { AccountPurchases } from './purchases.js';
import { notifiedRefund } from './refund-facts.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';
import { noContext } from './transaction-facts.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 8, 20);
const day = (days: number): number => START_MS + Math.round(days * DAY_MS);
const PRICE_MICROS = 9_990_000;

/** One of several purchases of a subscription, which takes over from the one before it. */
interface Stay {
  isBundle: boolean;
  /** Its renewals, and the day of its last period on which the next purchase starts. */
  renewals: number;
  leftOnDay: number;
  isCancelled: boolean;
  /** How the App Store revokes its last period after the switch. */
  end: 'stays' | 'revoked' | 'refunded' | 'refunded_in_part';
}

const stay: fc.Arbitrary<Stay> = fc.record({
  isBundle: fc.boolean(),
  renewals: fc.nat(2),
  leftOnDay: fc.integer({ min: 1, max: 29 }),
  isCancelled: fc.boolean(),
  end: fc.constantFrom('stays', 'revoked', 'refunded', 'refunded_in_part'),
});
const world = fc.record({
  stays: fc.array(stay, { minLength: 1, maxLength: 4 }),
  order: fc.infiniteStream(fc.nat()),
  repeats: fc.nat(5),
});

/** Data that the App Store signed together. */
interface Statement {
  signedMs: number;
  transaction: SignedTransaction;
  renewal?: SignedRenewal;
  isRefund?: boolean;
}

interface Charge {
  id: string;
  isBundle: boolean;
  leftShare: number;
}

function signedBy(stays: Stay[]): { statements: Statement[]; charges: Charge[]; endsAt: number } {
  const statements: Statement[] = [];
  const charges: Charge[] = [];
  let startDays = 0;
  let endDays = 0;
  stays.forEach(({ isBundle, renewals, leftOnDay, isCancelled, end }, index) => {
    const originalTransactionId = String(1_000 + index);
    const begin = startDays;
    for (let n = 0; n <= renewals; n++) {
      const from = begin + n * 30;
      const isLast = n === renewals;
      const isLeft = isLast && index < stays.length - 1;
      const id = n === 0 ? originalTransactionId : String(2_000 + index * 10 + n);
      const at = (days: number, more: Partial<SignedTransaction> = {}): SignedTransaction => ({
        transactionId: id,
        originalTransactionId,
        webOrderLineItemId: `5${id}`,
        productId: isBundle ? 'plus_m' : 'pro_m',
        purchaseDate: day(from),
        originalPurchaseDate: day(begin),
        expiresDate: day(from + 30),
        type: 'Auto-Renewable Subscription',
        environment: 'Production',
        inAppOwnershipType: 'PURCHASED',
        transactionReason: n === 0 ? 'PURCHASE' : 'RENEWAL',
        signedDate: day(days),
        currency: 'USD',
        price: 9_990,
        ...(isBundle && { bundleProductId: 'bundle_m' }),
        ...(index > 0 && { previousOriginalTransactionId: String(999 + index) }),
        ...more,
      });
      const renewalAt = (days: number, autoRenewStatus: 0 | 1): SignedRenewal => ({
        originalTransactionId,
        autoRenewProductId: isBundle ? 'plus_m' : 'pro_m',
        autoRenewStatus,
        environment: 'Production',
        signedDate: day(days),
      });
      statements.push({
        signedMs: day(from),
        transaction: at(from + 0.01),
        renewal: renewalAt(from + 0.01, 1),
      });
      if (isLast && isCancelled) {
        const renewal = renewalAt(from + 0.5, 0);
        statements.push({ signedMs: renewal.signedDate, transaction: at(from + 0.5), renewal });
      }
      const isRefunded = isLeft && end.startsWith('refunded');
      if (isLeft) {
        const switchDays = from + leftOnDay;
        const ended = { revocationDate: day(switchDays), revocationReason: 7 } as Partial<SignedTransaction>;
        const part = end === 'refunded_in_part' ? { revocationPercentage: 25_000 } : {};
        const days = switchDays + 0.8;
        // The former purchase does not renew any more.
        statements.push({
          signedMs: day(days),
          transaction: at(days, end === 'stays' ? {} : { ...ended, ...part }),
          renewal: renewalAt(days, 0),
          isRefund: isRefunded,
        });
      }
      const usedShare = end === 'refunded_in_part' ? 0.75 : leftOnDay / 30;
      charges.push({ id, isBundle, leftShare: isRefunded ? usedShare : 1 });
      endDays = from + 30;
    }
    startDays = begin + renewals * 30 + leftOnDay;
  });
  return { statements, charges, endsAt: day(endDays) };
}

function purchaseOf({ transaction, renewal, isRefund }: Statement): VerifiedPurchase {
  const collected = new AccountPurchases(noContext);
  collected.addTransaction(transaction);
  const refund = isRefund ? notifiedRefund(transaction) : null;
  if (refund) collected.addRefund(transaction, refund, transaction.signedDate);
  if (renewal) collected.addRenewal(transaction.originalTransactionId, renewal, { latest: transaction });
  const [purchase] = collected.of('production');
  if (!purchase) throw new Error('no purchase');
  return purchase;
}

function run(statements: Statement[], nowMs: number) {
  const identity = { id: 'sub_1', store: 'app_store', environment: 'production', storeKey: '1000' } as const;
  let subscription: Subscription = newSubscription(identity);
  const events: EngineEvent[] = [];
  const ledger: LedgerEntry[] = [];
  for (const statement of statements) {
    const purchase = purchaseOf(statement);
    if (purchase.kind !== 'subscription') throw new Error('no subscription');
    const { observation, settle } = purchase;
    const facts = settle ? settle(observation.facts, subscription.facts) : observation.facts;
    const change = applySubscription(subscription, { ...observation, facts }, nowMs);
    subscription = change.subscription;
    events.push(...change.events);
    ledger.push(...change.ledger);
  }
  return { subscription, events, ledger, state: currentState(subscription, nowMs) };
}

it('makes one subscription of switches to bundles and back, whatever the order of their transactions', () => {
  fc.assert(
    fc.property(world, ({ stays, order, repeats }) => {
      const { statements, charges, endsAt } = signedBy(stays);
      const nowMs = endsAt - DAY_MS / 2;
      const shuffled = [...statements, ...statements.slice(0, repeats)]
        .map((one) => ({ one, key: order.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const inOrder = run(
        statements.toSorted((a, b) => a.signedMs - b.signedMs),
        nowMs,
      );
      for (const { ledger, events, state } of [inOrder, run(shuffled, nowMs)]) {
        for (const { id, isBundle, leftShare } of charges) {
          const rows = ledger.filter(({ storeIds }) => storeIds.includes(id));
          const sum = rows.reduce((total, { price }) => total + (price.amountMicros ?? 0), 0);
          const isBooked = rows.filter(({ kind }) => kind === 'purchase' || kind === 'renewal').length === 1;
          expect(isBooked).toBe(true);
          // The price of a part of a bundle is unknown.
          expect(sum).toBe(isBundle ? 0 : Math.round(PRICE_MICROS * leftShare));
        }
        const keys = events.map(({ dedupeKey }) => dedupeKey);
        expect(new Set(keys).size).toBe(keys.length);
        expect(events.filter(({ type }) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
        expect(state.givesAccess).toBe(true);
        expect(state.accessEndsAtMs).toBe(endsAt);
        expect(state.autoRenewalStatus).toBe(stays.at(-1)?.isCancelled ? 'will_not_renew' : 'will_renew');
        expect(state).toEqual(inOrder.state);
      }
    }),
  );
});
