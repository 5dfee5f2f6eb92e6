import { type Environment, noOneTimeFacts, noSubscriptionFacts } from '../../engine/index.js';
import type {
  NamedPurchase,
  PostedReceipt,
  Refreshed,
  StoreAccount,
  StoreAdapter,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from '../contract.js';
import { withHints } from '../device-hints.js';
import type { RokuNotification } from './notification.js';
import { moneyBackOf, transactionsToAsk } from './notified.js';
import { oneTimeFacts, voidedOneTime } from './one-time-facts.js';
import {
  begun,
  noHints,
  type RokuHints,
  type RokuReport,
  saidBy,
  type Successor,
  successorOf,
} from './report.js';
import { RokuApi, type RokuServices } from './roku-api.js';
import { RokuCallFailed } from './roku-call-failed.js';
import { refused } from '../verification-failures.js';
import { failureOf, isUnknown, keyMissing } from './roku-failures.js';
import { type KnownRokuPurchases, type RokuSubscription, RokuReader } from './roku-reader.js';
import { subscriptionFacts, voidedFacts } from './subscription-facts.js';
import { isTransactionId, transactionKey } from './transaction-id.js';

/** A channel of a Roku developer account. */
export interface RokuApp {
  appId: string;
  apiKey: string | null;
  /** Null means all channels of the account. */
  channelId: string | null;
  known: KnownRokuPurchases;
  /** The catalog's entry for a product. `duration` is that of a period, ISO 8601. */
  sold(productId: string): Promise<{ isSoldOnce: boolean; duration: string | null }>;
  /** Id of the project's app for another channel; null if there is none. */
  appOfChannel(channelId: string): Promise<string | null>;
}

interface Reading {
  subscription: RokuSubscription;
  purchases: VerifiedPurchase[];
  accounts: StoreAccount[];
}

/** Roku Pay for one app. Only answers from Roku to the app's key count. */
export class RokuStore implements StoreAdapter {
  readonly store = 'roku';

  constructor(
    private readonly app: RokuApp,
    private readonly services: RokuServices,
    private readonly nowMs: () => number,
  ) {}

  verify(receipt: PostedReceipt): Promise<Verified | VerificationFailure> {
    const token = receipt.fetchToken.trim();
    if (!isTransactionId(token)) return Promise.resolve(refused('The token is no transaction id of Roku.'));
    return this.ask(async (api) => {
      const hints = {
        ...noHints,
        isTrial: (receipt.trialDuration ?? null) !== null,
        hasIntro: (receipt.introDuration ?? null) !== null,
      };
      const known = await this.app.known(transactionKey(token));
      try {
        const reading = await this.read(api, [token], hints);
        const environment =
          reading.subscription.known?.environment ?? (receipt.isSandbox ? 'sandbox' : 'production');
        const verified = await this.sold(reading, environment);
        return verified.failure === null
          ? { ...verified, purchases: withHints(verified.purchases, receipt) }
          : verified;
      } catch (error) {
        // Known facts of a purchase that Roku voided stay; the next poll ends it.
        if (!isUnknown(error) || known === null) throw error;
        return { failure: null, environment: known.environment, purchases: [] };
      }
    });
  }

  lookUp({ id }: NamedPurchase): Promise<Verified | VerificationFailure> {
    return this.ask(async (api) => {
      const reading = await this.read(api, [id], noHints);
      return this.sold(reading, reading.subscription.known?.environment ?? 'production');
    });
  }

  /** Roku's answers, requested with the app's own key, about the transactions that a notification names. */
  notified(notification: RokuNotification): Promise<Verified | VerificationFailure> {
    return this.ask(async (api) => {
      const hints: RokuHints = {
        ...noHints,
        isTrial: notification.isFreeTrial,
        inGrace: notification.type === 'GraceInitiated',
        hasOffer: notification.type.startsWith('CancellationOffer'),
        moneyBack: await moneyBackOf(api, notification, this.nowMs()),
      };
      const reading = await this.read(api, transactionsToAsk(notification), hints);
      return this.sold(reading, reading.subscription.known?.environment ?? 'production');
    });
  }

  async refresh(key: string, environment: Environment): Promise<Refreshed | VerificationFailure> {
    const asked = await this.ask(async (api) => {
      const known = await this.app.known(key);
      const ids = [...(known?.latestId ? [known.latestId] : []), key];
      try {
        return await this.sold(await this.read(api, ids, noHints), environment);
      } catch (error) {
        if (!isUnknown(error) || known === null) throw error;
        return { failure: null, environment, purchases: [this.voided(key, known.kind)] };
      }
    });
    if (asked.failure !== null) return asked;
    const { purchases, accounts, unfinished = [] } = asked;
    return { failure: null, purchases, accounts, unfinished: unfinished.length > 0 };
  }

  /** @throws RokuCallFailed; with a valid key, `unknown` for a transaction that does not exist */
  async check(transactionId: string): Promise<void> {
    const { appId, apiKey } = this.app;
    if (apiKey === null) throw new RokuCallFailed('credentials', keyMissing.message);
    await new RokuApi({ appId, apiKey }, this.services).transaction(transactionId);
  }

  private async ask(
    work: (api: RokuApi) => Promise<Verified | VerificationFailure>,
  ): Promise<Verified | VerificationFailure> {
    const { appId, apiKey } = this.app;
    if (apiKey === null) return keyMissing;
    try {
      return await work(new RokuApi({ appId, apiKey }, this.services));
    } catch (error) {
      return failureOf(error);
    }
  }

  private async read(api: RokuApi, ids: string[], hints: RokuHints): Promise<Reading> {
    const atMs = this.nowMs();
    const reader = new RokuReader(api, (key) => this.app.known(key));
    const subscription = await reader.readSubscription(ids);
    const [first] = subscription.transactions;
    const customerId = subscription.transactions.find((one) => one.customerId !== null)?.customerId ?? null;
    const accounts: StoreAccount[] =
      customerId === null ? [] : [{ kind: 'roku_customer_id', key: customerId }];
    const { isSoldOnce } = await this.app.sold(first?.productId ?? '');
    const isOnce = isSoldOnce || subscription.transactions.every(({ expiresAtMs }) => expiresAtMs === null);
    if (isOnce) return { subscription, accounts, purchases: this.soldOnce(subscription, hints, atMs) };
    const purchases = await this.soldSubscription(subscription, { hints, successor: null, atMs });
    const successor = successorOf(subscription.transactions);
    for (const old of await reader.replacedBy(subscription)) {
      purchases.push(...(await this.soldSubscription(old, { hints: noHints, successor, atMs })));
    }
    return { subscription, accounts, purchases };
  }

  private async soldSubscription(
    { subscriptionKey, transactions }: RokuSubscription,
    { hints, successor, atMs }: Omit<RokuReport, 'transactions' | 'duration'>,
  ): Promise<VerifiedPurchase[]> {
    const { duration } = await this.app.sold(saidBy(transactions)?.productId ?? '');
    const report: RokuReport = { transactions, hints, successor, duration, atMs };
    const facts = subscriptionFacts(report, noSubscriptionFacts);
    // A downgrade that has not started has sold nothing yet.
    if (facts === null) return [];
    return [
      {
        kind: 'subscription',
        key: subscriptionKey,
        firstPostStands: false,
        onlyIfKnown: isReplaced(successor),
        observation: { atMs, facts },
        settle: ({ hints: said }, known) => ({ ...(subscriptionFacts(report, known) ?? facts), hints: said }),
      },
    ];
  }

  private soldOnce({ transactions }: RokuSubscription, hints: RokuHints, atMs: number): VerifiedPurchase[] {
    return transactions.map((transaction) => {
      const isSubject = hints.moneyBack?.ofKey === transaction.key || transactions.length === 1;
      const own = isSubject ? hints : { ...hints, moneyBack: null };
      return {
        kind: 'one_time',
        key: transaction.key,
        firstPostStands: false,
        observation: { atMs, facts: oneTimeFacts(transaction, own, atMs, noOneTimeFacts) },
        settle: ({ hints: said }, known) => ({ ...oneTimeFacts(transaction, own, atMs, known), hints: said }),
        shouldConsume: false,
      };
    });
  }

  private voided(key: string, kind: 'subscription' | 'one_time'): VerifiedPurchase {
    const atMs = this.nowMs();
    const common = { key, firstPostStands: false, onlyIfKnown: true };
    return kind === 'subscription'
      ? {
          ...common,
          kind,
          observation: { atMs, facts: noSubscriptionFacts },
          settle: (_, known) => voidedFacts(known, atMs),
        }
      : {
          ...common,
          kind,
          observation: { atMs, facts: noOneTimeFacts },
          settle: (_, known) => voidedOneTime(known, atMs),
          shouldConsume: false,
        };
  }

  /** One key serves all channels of an account, so an answer may concern another app's channel. */
  private async sold(
    { subscription, purchases, accounts }: Reading,
    environment: Environment,
  ): Promise<Verified | VerificationFailure> {
    const { channelId } = this.app;
    const sellerId = subscription.transactions[0]?.channelId ?? null;
    const names =
      subscription.transactions.find((one) => one.partnerReferenceId !== null)?.partnerReferenceId ?? null;
    const verified: Verified = {
      failure: null,
      environment,
      purchases,
      accounts,
      ...(names !== null && { appUserIds: [names] }),
      ...(isDue(subscription, this.nowMs()) && { unfinished: [subscription.subscriptionKey] }),
    };
    if (channelId === null || sellerId === null || sellerId === channelId) return verified;
    const appId = await this.app.appOfChannel(sellerId);
    if (appId === null) return refused(`The purchase is of the channel ${sellerId}, which has no app here.`);
    return { ...verified, appId };
  }
}

/** Whether a renewal is overdue. Roku asks clients to poll until it renews or is cancelled. */
function isDue({ transactions }: RokuSubscription, nowMs: number): boolean {
  const said = saidBy(begun(transactions));
  if (said === null || said.expiresAtMs === null) return false;
  return said.isEntitled && !said.isCancelled && said.expiresAtMs <= nowMs;
}

function isReplaced(successor: Successor | null): boolean {
  return successor !== null && successor.startMs !== null;
}
