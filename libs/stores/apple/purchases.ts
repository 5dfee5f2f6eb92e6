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
import { continuationFact, previousIdOf, withRenewalPeriod } from './bundle-switch.js';
import { unitsOf } from './refund-facts.js';
import { renewalFacts, type RenewalHints } from './renewal-facts.js';
import { withSeatKeys } from './seat-keys.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';
import { unknownInRenewal, unknownInTransaction, unknownStatus } from './unknown-values.js';
import {
  formerKeyOf,
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

/** 0 for a purchase that continues no other. */
function continuedSince(key: string, { continuations }: SubscriptionFacts): number {
  return continuations?.[key]?.value.sinceMs ?? 0;
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
  /** Keys of the subscriptions that customers left for others, by the keys of these. */
  private readonly previous = new Map<string, string>();
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
      const previous = previousIdOf(transaction);
      if (previous !== null) this.previous.set(key, previous);
      const facts = subscriptionFacts(transaction, this.context);
      const continuation = previous === null ? {} : continuationFact(key, transaction);
      this.addFacts(key, { ...facts, ...continuation }, atMs);
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

  private continuedBy(key: string): Pick<VerifiedPurchase, 'continues' | 'namedByStore'> {
    const continues = this.previous.get(key);
    if (continues === undefined) return {};
    return { continues, namedByStore: { apart: { field: 'bundle_switch_owners', value: continues } } };
  }

  /**
   * Former subscriptions come before those that continue them. `shouldConsume` is always false: the App Store consumes a
   * product when the app finishes its transaction.
   */
  of(environment: Environment): VerifiedPurchase[] {
    const inOrder = [...this.subscriptions].sort(([a, one], [b, other]) => {
      return continuedSince(a, one.facts) - continuedSince(b, other.facts);
    });
    const subscriptions = inOrder.map(([key, observation]): VerifiedPurchase => {
      const formerKey = formerKeyOf(key);
      return {
        kind: 'subscription',
        key,
        ...this.continuedBy(key),
        ...(formerKey !== null && { formerKey }),
        firstPostStands: false,
        observation,
        settle: (facts, known) => withRenewalPeriod(withSeatKeys(facts, known), known),
      };
    });
    const oneTime = [...this.oneTime].map(([key, observation]): VerifiedPurchase => {
      return { kind: 'one_time', key, firstPostStands: false, observation, shouldConsume: false };
    });
    return [...subscriptions, ...oneTime].filter(({ key }) => this.environments.get(key) === environment);
  }
}
