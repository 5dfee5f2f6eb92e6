import type { Environment } from '../../engine/index.js';
import type { RokuApi } from './roku-api.js';
import { RokuCallFailed, unknownTransaction } from './roku-call-failed.js';
import { transactionKey } from './transaction-id.js';
import type { RokuTransaction } from './transaction.js';

/** The stored data of a purchase. */
export interface KnownRokuPurchase {
  kind: 'subscription' | 'one_time';
  environment: Environment;
  /** The latest transaction id, as Roku formatted it. */
  latestId: string | null;
}

export type KnownRokuPurchases = (subscriptionKey: string) => Promise<KnownRokuPurchase | null>;

/** Roku's answers about one subscription. A one-time purchase is read in the same way. */
export interface RokuSubscription {
  subscriptionKey: string;
  /** At least one. */
  transactions: RokuTransaction[];
  known: KnownRokuPurchase | null;
}

/** Calls about one subscription: the named transaction, the first one and the latest known one. */
const MAX_CALLS = 4;
/** Subscriptions that an upgrade or downgrade ends. */
const MAX_REPLACED = 2;

/** Reads everything Roku reports on a subscription. Roku has no list, so each transaction is requested. */
export class RokuReader {
  constructor(
    private readonly api: RokuApi,
    private readonly known: KnownRokuPurchases,
  ) {}

  /** The subscription of the first transaction that Roku knows. @throws RokuCallFailed */
  async readSubscription(ids: readonly string[]): Promise<RokuSubscription> {
    const found = new Map<string, RokuTransaction>();
    const asked = new Set<string>();
    const waiting = [...ids];
    let subscription: Omit<RokuSubscription, 'transactions'> | null = null;
    for (let id = waiting.shift(); id !== undefined && asked.size < MAX_CALLS; id = waiting.shift()) {
      const key = transactionKey(id);
      if (asked.has(key)) continue;
      asked.add(key);
      const transaction = await this.transaction(id);
      if (
        transaction === null ||
        (subscription && transaction.subscriptionKey !== subscription.subscriptionKey)
      )
        continue;
      found.set(transaction.key, transaction);
      if (subscription) continue;
      const { subscriptionKey, originalId } = transaction;
      subscription = { subscriptionKey, known: await this.known(subscriptionKey) };
      waiting.push(...(subscription.known?.latestId ? [subscription.known.latestId] : []), originalId);
    }
    if (subscription === null) throw unknownTransaction();
    return { ...subscription, transactions: [...found.values()] };
  }

  /** The subscriptions that this one ended or will end. Omits those that Roku no longer knows. */
  async replacedBy({ subscriptionKey, transactions }: RokuSubscription): Promise<RokuSubscription[]> {
    const ids = new Map(
      transactions.flatMap(({ replacedIds }) => replacedIds).map((id) => [transactionKey(id), id]),
    );
    const subscriptions: RokuSubscription[] = [];
    for (const id of [...ids.values()].slice(0, MAX_REPLACED)) {
      const subscription = await this.readSubscription([id]).catch((error: unknown) => {
        if (error instanceof RokuCallFailed && error.failure === 'unknown') return null;
        throw error;
      });
      if (subscription && subscription.subscriptionKey !== subscriptionKey) subscriptions.push(subscription);
    }
    return subscriptions;
  }

  /** Null if Roku does not know it. */
  private async transaction(id: string): Promise<RokuTransaction | null> {
    try {
      return await this.api.transaction(id);
    } catch (error) {
      if (error instanceof RokuCallFailed && error.failure === 'unknown') return null;
      throw error;
    }
  }
}
