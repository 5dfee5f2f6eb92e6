import type { Environment } from '../../engine/index.js';
import type {
  NamedPurchase,
  PostedReceipt,
  Refreshed,
  StoreAccount,
  StoreAdapter,
  StoreContext,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from '../contract.js';
import { withHints } from '../device-hints.js';
import { externalTokenIds, withTokenIds } from '../external-token-ids.js';
import type { SoldOnce } from '../sold-once.js';
import { refused, unavailable, unpaid } from '../verification-failures.js';
import { withUnknown } from '../unknown-values.js';
import { inLightOf } from './known-facts.js';
import { type BoughtItem, oneTimeFacts } from './one-time-facts.js';
import { isPaddleId, PaddleApi, type PaddleServices } from './paddle-api.js';
import { PaddleCallFailed } from './paddle-call-failed.js';
import type { CustomData, PaddleHistory, PaddleTransaction } from './paddle-objects.js';
import { oneOffs } from './paid-periods.js';
import { subscriptionFacts } from './subscription-facts.js';
import { hasKnownTransactionStatus, unknownInHistory, unknownInTransaction } from './unknown-in-answers.js';

/** An app that sells with the developer's own Paddle account. */
export interface PaddleApp {
  appId: string;
  apiKey: string | null;
  isSandbox: boolean;
  /** The field of `custom_data` that holds the app user id; null if none does. */
  customDataKey: string | null;
  /** The product's type in the catalog now. */
  soldOnce: () => Promise<SoldOnce>;
}

/** Pages of thirty transactions read while a caller waits; older ones are read later. */
const AT_ONCE = 1;
const AT_MOST = 40;

const TRANSACTION_KEY = /^(txn_[a-z0-9]{26})(?::\d{1,4})?$/;
const LIVE_KEY = /^pdl_live_/;
const SANDBOX_KEY = /^pdl_sdbx_/;

const keyMissing: VerificationFailure = {
  failure: 'credentials',
  code: 7101,
  message: 'The app has no Paddle API key (paddle_api_key).',
};

/** The failure for a purchase that only Paddle can verify. */
function failureOf(error: unknown): VerificationFailure {
  if (!(error instanceof PaddleCallFailed)) throw error;
  const { failure, message } = error;
  if (failure === 'credentials') return { failure, code: 7101, message };
  return failure === 'unavailable' ? unavailable(error) : refused(message);
}

/** The environment that a key names; null for an old key. */
export function paddleKeyEnvironment(apiKey: string): Environment | null {
  if (LIVE_KEY.test(apiKey)) return 'production';
  return SANDBOX_KEY.test(apiKey) ? 'sandbox' : null;
}

/** An answer that cannot be read counts as a failure of the store. */
function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new PaddleCallFailed('unavailable', 'Paddle gave no readable answer.');
  }
}

type Asked = Verified | VerificationFailure;

/** Paddle for one app. Only Paddle's own answers count; a token is just an id. */
export class PaddleStore implements StoreAdapter {
  readonly store = 'paddle';

  constructor(
    private readonly app: PaddleApp,
    private readonly services: PaddleServices,
    private readonly nowMs: () => number,
  ) {}

  async verify(receipt: PostedReceipt, { nowMs }: StoreContext): Promise<Asked> {
    const token = receipt.fetchToken.trim();
    const isSubscription = isPaddleId(token, 'sub');
    if (!isSubscription && !isPaddleId(token, 'txn')) {
      return refused('The token is neither a subscription (sub_…) nor a transaction (txn_…) of Paddle.');
    }
    const asked = await this.ask((api) =>
      isSubscription
        ? this.bySubscription(api, token, AT_ONCE, nowMs)
        : this.byTransaction(api, token, AT_ONCE, nowMs),
    );
    return asked.failure === null ? { ...asked, purchases: withHints(asked.purchases, receipt) } : asked;
  }

  lookUp({ id }: NamedPurchase): Promise<Asked> {
    return this.ask((api) => this.byKey(api, id, this.nowMs()));
  }

  /** `key`: a subscription, a transaction, or one of its items. */
  async refresh(key: string, environment: Environment): Promise<Refreshed | VerificationFailure> {
    const atMs = this.nowMs();
    if (this.environment !== environment) return refused('Paddle knows it in another environment.');
    const asked = await this.ask((api) => this.byKey(api, key, atMs));
    if (asked.failure !== null) return asked;
    const { purchases, accounts, appUserId, unknown } = asked;
    return { failure: null, purchases, accounts, appUserId, unfinished: false, unknown };
  }

  private get environment(): Environment {
    return this.app.isSandbox ? 'sandbox' : 'production';
  }

  private async ask(work: (api: PaddleApi) => Promise<Asked>): Promise<Asked> {
    const { appId, apiKey, isSandbox } = this.app;
    if (apiKey === null) return keyMissing;
    try {
      return await work(new PaddleApi({ appId, apiKey, isSandbox }, this.services));
    } catch (error) {
      return failureOf(error);
    }
  }

  private async byKey(api: PaddleApi, key: string, atMs: number): Promise<Asked> {
    if (isPaddleId(key, 'sub')) return this.bySubscription(api, key, AT_MOST, atMs);
    const [, transaction] = TRANSACTION_KEY.exec(key) ?? [];
    if (transaction === undefined) return refused('This is not a key of Paddle.');
    return this.byTransaction(api, transaction, AT_MOST, atMs);
  }

  private async byTransaction(api: PaddleApi, id: string, pages: number, atMs: number): Promise<Asked> {
    const transaction = await api.transaction(id);
    const { status, subscription_id: subscription } = transaction;
    if (status === 'canceled') return refused('The transaction was canceled.');
    if (subscription !== null && isPaddleId(subscription, 'sub')) {
      return this.bySubscription(api, subscription, pages, atMs);
    }
    return withUnknown(this.ofTransaction(transaction, atMs), unknownInTransaction(transaction));
  }

  private ofTransaction(transaction: PaddleTransaction, atMs: number): Asked {
    const { status, items } = transaction;
    if (status === 'draft' || status === 'ready') return unpaid('The transaction is not paid yet.');
    if (status === 'past_due' || status === 'billed') return unpaid('The payment is not complete yet.');
    if (!hasKnownTransactionStatus(transaction)) {
      return unpaid('The status of the transaction does not show that it is paid.');
    }
    if (items.some(({ price }) => price.billing_cycle !== null)) {
      return unpaid('Paddle has not made the subscription of the transaction yet.');
    }
    const bought = readable(() => oneTimeFacts(transaction, atMs));
    return this.verified([transaction], oneTimePurchases(bought, atMs));
  }

  private async bySubscription(api: PaddleApi, id: string, pages: number, atMs: number): Promise<Asked> {
    const history = await api.history(id, pages);
    return withUnknown(await this.ofHistory(history, id, atMs), unknownInHistory(history));
  }

  private async ofHistory(history: PaddleHistory, id: string, atMs: number): Promise<Asked> {
    const isMixed = history.transactions.some((transaction) => oneOffs(transaction).length > 0);
    const soldOnce = isMixed ? await this.app.soldOnce() : undefined;
    const reported = readable(() => subscriptionFacts(history, atMs, soldOnce));
    if (reported === null && history.subscription.status === 'canceled') {
      return refused('The subscription ended before its first payment.');
    }
    if (reported === null) return unpaid('The first payment of the subscription is not complete yet.');
    const { facts, bought } = reported;
    const subscription: VerifiedPurchase = {
      kind: 'subscription',
      key: id,
      firstPostStands: false,
      observation: { atMs, facts },
      settle: inLightOf(reported, atMs),
    };
    const verified = this.verified(placesOf(history), [
      subscription,
      ...oneTimePurchases(bought, atMs).map((one) => ({ ...one, soldWith: id })),
    ]);
    return history.hasMore ? { ...verified, unfinished: [id] } : verified;
  }

  /** `named`: objects in which the seller may have named the user or a token, in order of priority. */
  private verified(named: Named[], reported: VerifiedPurchase[]): Verified {
    const tokenIds = externalTokenIds(named.map(({ custom_data: data }) => data));
    const purchases = withTokenIds(reported, tokenIds);
    const account = named[0]?.customer_id ?? null;
    const accounts: StoreAccount[] = account === null ? [] : [{ kind: 'paddle_customer_id', key: account }];
    const { customDataKey: key } = this.app;
    const values = key === null ? [] : named.map(({ custom_data: data }) => data?.[key]);
    const appUserId = values.find((value) => typeof value === 'string');
    return { failure: null, environment: this.environment, purchases, accounts, appUserId };
  }
}

interface Named {
  customer_id: string | null;
  custom_data: CustomData;
}

/** Returns the subscription, then its first transaction if it was read. */
function placesOf({ subscription, transactions, hasMore }: PaddleHistory): Named[] {
  const first = hasMore ? undefined : transactions.at(-1);
  return first ? [subscription, first] : [subscription];
}

function oneTimePurchases(bought: BoughtItem[], atMs: number): VerifiedPurchase[] {
  return bought.map(({ key, facts }) => ({
    kind: 'one_time',
    key,
    firstPostStands: false,
    observation: { atMs, facts },
    shouldConsume: false,
  }));
}
