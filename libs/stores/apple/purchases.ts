import {
  type ChainFacts,
  mergeChainFacts,
  mergeOneTimeFacts,
  type OneTimeFacts,
} from '../../engine/index.js';
import type { VerifiedPurchase } from '../contract.js';
import { renewalFacts, type RenewalHints } from './renewal-facts.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';
import {
  isSubscription,
  oneTimeFacts,
  purchaseKeyOf,
  subscriptionFacts,
  type TransactionContext,
} from './transaction-facts.js';

interface Told<Facts> {
  atMs: number;
  facts: Facts;
}

/** Collects what the App Store shows of an account, and gives it as one observation for each purchase. */
export class ShownPurchases {
  private readonly chains = new Map<string, Told<ChainFacts>>();
  private readonly oneTime = new Map<string, Told<OneTimeFacts>>();
  private readonly transactionIds = new Set<string>();

  constructor(private readonly context: TransactionContext) {}

  addTransaction(transaction: SignedTransaction): void {
    const key = purchaseKeyOf(transaction);
    const atMs = transaction.signedDate;
    this.transactionIds.add(transaction.transactionId);
    if (isSubscription(transaction)) {
      this.addFacts(key, subscriptionFacts(transaction, this.context), atMs);
      return;
    }
    this.addOneTimeFacts(key, oneTimeFacts(transaction, this.context), atMs);
  }

  /** Of the subscription with that key. */
  addRenewal(chainKey: string, renewal: SignedRenewal, hints: RenewalHints): void {
    this.addFacts(chainKey, renewalFacts(renewal, hints), renewal.signedDate);
  }

  /** Facts of a subscription that no signed text says by itself. */
  addFacts(chainKey: string, facts: ChainFacts, atMs: number): void {
    const known = this.chains.get(chainKey);
    const merged = known ? mergeChainFacts(known.facts, facts) : facts;
    this.chains.set(chainKey, { atMs: Math.max(known?.atMs ?? 0, atMs), facts: merged });
  }

  /** As `addFacts`, of a one-time purchase. */
  addOneTimeFacts(key: string, facts: OneTimeFacts, atMs: number): void {
    const known = this.oneTime.get(key);
    const merged = known ? mergeOneTimeFacts(known.facts, facts) : facts;
    this.oneTime.set(key, { atMs: Math.max(known?.atMs ?? 0, atMs), facts: merged });
  }

  /** Whether that very transaction is among them. */
  hasTransaction(id: string): boolean {
    return this.transactionIds.has(id);
  }

  get keys(): string[] {
    return [...this.chains.keys(), ...this.oneTime.keys()];
  }

  /** Nothing needs to be consumed: the App Store does that when the app finishes a transaction. */
  get all(): VerifiedPurchase[] {
    const chains = [...this.chains].map(([key, observation]): VerifiedPurchase => {
      return { kind: 'chain', key, firstPostStands: false, observation };
    });
    const oneTime = [...this.oneTime].map(([key, observation]): VerifiedPurchase => {
      return { kind: 'one_time', key, firstPostStands: false, observation, shouldConsume: false };
    });
    return [...chains, ...oneTime];
  }
}
