import type {
  SourceAlias,
  SourceAttribute,
  SourceBalance,
  SourceCustomer,
  SourcePurchase,
  SourceSubscriber,
  SourceSubscription,
  SourceTransaction,
} from '../source/source.model.js';

/** The source's complete data about one customer. */
export interface CustomerDetails {
  customer: SourceCustomer;
  aliases: SourceAlias[];
  attributes: SourceAttribute[];
  subscriptions: SourceSubscription[];
  purchases: SourcePurchase[];
  /** Transactions by subscription id; absent if they were not requested. */
  transactions: Map<string, SourceTransaction[]>;
  /** Google Play purchase tokens by subscription id, from `--google-tokens`. */
  tokens: Map<string, string>;
  balances: SourceBalance[];
  /** Null without a v1 key. */
  subscriber: SourceSubscriber | null;
}
