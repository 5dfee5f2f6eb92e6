import {
  type SubscriptionFacts,
  type Environment,
  mergeSubscriptionFacts,
  mergeOneTimeFacts,
  noOneTimeFacts,
  noSubscriptionFacts,
  type OneTimeFacts,
  type RefundFact,
  type Register,
} from '../../engine/index.js';
import type { UnknownValue, VerifiedPurchase } from '../contract.js';
import { environmentOf } from './apple-app.js';
import { unitsOf } from './refund-facts.js';
import { renewalFacts, type RenewalHints } from './renewal-facts.js';
import { withSeatKeys } from './seat-keys.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';
import { unknownInRenewal, unknownInTransaction, unknownStatus } from './unknown-values.js';
import {
  isSubscription,
  oneTimeFacts,
  oneTimePurchase,
  periodKeyOf,
  purchaseKeyOf,
  subscriptionFacts,
  type TransactionContext,
} from './transaction-facts.js';

interface Report<Facts> {
  atMs: number;
  facts: Facts;
}

function environmentIn({ environment }: { environment?: string }): Environment {
  return environmentOf(environment === 'Production' ? 'Production' : 'Sandbox');
}

/**
 * Collects the purchases of an account. A purchase belongs to the environment its transactions are signed for,
 * whichever host returned them.
 */
export class AccountPurchases {
  private readonly subscriptions = new Map<string, Report<SubscriptionFacts>>();
  private readonly oneTime = new Map<string, Report<OneTimeFacts>>();
  private readonly environments = new Map<string, Environment>();
  private readonly transactions = new Map<string, { environment: Environment; key: string }>();
  /** Values that this version does not know, possibly repeated. */
  readonly unknown: UnknownValue[] = [];

  constructor(private readonly context: TransactionContext) {}

  addTransaction(transaction: SignedTransaction): void {
    const key = purchaseKeyOf(transaction);
    const atMs = transaction.signedDate;
    const environment = environmentIn(transaction);
    if ((this.environments.get(key) ?? environment) !== environment) return;
    this.environments.set(key, environment);
    this.transactions.set(transaction.transactionId, { environment, key });
    this.unknown.push(...unknownInTransaction(transaction));
    if (isSubscription(transaction)) {
      this.addFacts(key, subscriptionFacts(transaction, this.context), atMs);
      return;
    }
    this.addOneTimeFacts(key, oneTimeFacts(transaction, this.context), atMs);
  }

  addRenewal(storeKey: string, renewal: SignedRenewal, hints: RenewalHints): void {
    if (this.environments.get(storeKey) !== environmentIn(renewal)) return;
    this.unknown.push(...unknownInRenewal(renewal), ...unknownStatus(hints.status));
    this.addFacts(storeKey, renewalFacts(renewal, hints), renewal.signedDate);
  }

  /** Adds facts of a subscription that no signed text contains. */
  addFacts(storeKey: string, facts: SubscriptionFacts, atMs: number): void {
    const known = this.subscriptions.get(storeKey);
    const merged = known ? mergeSubscriptionFacts(known.facts, withSeatKeys(facts, known.facts)) : facts;
    this.subscriptions.set(storeKey, { atMs: Math.max(known?.atMs ?? 0, atMs), facts: merged });
  }

  addOneTimeFacts(key: string, facts: OneTimeFacts, atMs: number): void {
    const known = this.oneTime.get(key);
    const merged = known ? mergeOneTimeFacts(known.facts, facts) : facts;
    this.oneTime.set(key, { atMs: Math.max(known?.atMs ?? 0, atMs), facts: merged });
  }

  /** Adds a refund, or its reversal, that the transaction itself does not show. */
  addRefund(transaction: SignedTransaction, value: RefundFact, atMs: number): void {
    const key = purchaseKeyOf(transaction);
    const refund: Register<RefundFact> = { at: atMs, src: 'signed', value };
    if (isSubscription(transaction)) {
      const refunds = { [this.periodKeyOf(key, transaction)]: refund };
      this.addFacts(key, { ...noSubscriptionFacts, refunds }, atMs);
      return;
    }
    const { price, quantity } = oneTimePurchase(transaction, this.context);
    const units = { ...refund, value: unitsOf(value, price, quantity) };
    this.addOneTimeFacts(key, { ...noOneTimeFacts, refund: units }, atMs);
  }

  /** The key under which the transaction was collected. */
  private periodKeyOf(purchaseKey: string, transaction: SignedTransaction): string {
    const periods = Object.entries(this.subscriptions.get(purchaseKey)?.facts.periods ?? {});
    const own = periods.find(([, { value }]) => value.storeTransactionId === transaction.transactionId);
    return own?.[0] ?? periodKeyOf(transaction);
  }

  environmentOf(transactionId: string): Environment | undefined {
    return this.transactions.get(transactionId)?.environment;
  }

  /** Returns the purchase that contains a transaction. */
  named(transactionId: string, environment: Environment): VerifiedPurchase[] {
    const named = this.transactions.get(transactionId);
    return this.of(environment).filter(({ key }) => key === named?.key);
  }

  /** `shouldConsume` is always false: the App Store consumes a product when the app finishes its transaction. */
  of(environment: Environment): VerifiedPurchase[] {
    const subscriptions = [...this.subscriptions].map(([key, observation]): VerifiedPurchase => {
      return { kind: 'subscription', key, firstPostStands: false, observation, settle: withSeatKeys };
    });
    const oneTime = [...this.oneTime].map(([key, observation]): VerifiedPurchase => {
      return { kind: 'one_time', key, firstPostStands: false, observation, shouldConsume: false };
    });
    return [...subscriptions, ...oneTime].filter(({ key }) => this.environments.get(key) === environment);
  }
}
