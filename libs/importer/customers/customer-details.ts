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

/** Everything that the source says of one customer. */
export interface CustomerDetails {
  customer: SourceCustomer;
  aliases: SourceAlias[];
  attributes: SourceAttribute[];
  subscriptions: SourceSubscription[];
  purchases: SourcePurchase[];
  /** Subscription id to its transactions; absent where they were not asked for. */
  transactions: Map<string, SourceTransaction[]>;
  /** Subscription id to the purchase token of Google Play, from `--google-tokens`. */
  tokens: Map<string, string>;
  balances: SourceBalance[];
  /** Null without a v1 key. */
  subscriber: SourceSubscriber | null;
}
