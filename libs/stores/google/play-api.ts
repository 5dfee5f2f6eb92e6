import type { ExternalTransaction, ExternalTransactionRefund } from '../../external-reports/index.js';
import { isJsonObject } from '../../kernel/index.js';
import type { UnknownValue } from '../contract.js';
import type { ReportedTransaction } from './external-transactions.js';
import type { GoogleClients, PlayRequest } from './google-clients.js';
import type { PlayApp, ServiceAccount } from './play-app.js';
import { CONFLICT, PlayCallFailed } from './play-errors.js';
import type { RefundReview } from './refund-review.js';
import { withBaseFirst } from './subscription-report.js';
import { unknownInOrder, unknownInProduct, unknownInSubscription } from './unknown-in-answers.js';
import type { Order, ProductPurchase, SubscriptionPurchase, VoidedPurchase } from './play-resources.js';

export interface VoidedPage {
  purchases: VoidedPurchase[];
  /** Identifies the next page; null on the last. */
  next: string | null;
}

/** Confirms to Google that a purchase was recorded. */
export interface Acknowledgement {
  kind: 'subscription' | 'product';
  productId: string;
  token: string;
}

/** Paths of the catalog, by the field of the answer that holds the items. A dash means all parents. */
const catalogPaths = {
  subscriptions: '/subscriptions',
  subscriptionOffers: '/subscriptions/-/basePlans/-/offers',
  oneTimeProducts: '/oneTimeProducts',
};
const CATALOG_PAGE = 1000;

const MAX_TOKEN_LENGTH = 1_000;
const VOIDED_PAGE = 1000;
/** Types of purchases that cost nothing. */
const PROMOTION = 1;
const REWARD = 2;
/** Google's limit for one call. */
export const MAX_ORDERS = 1000;

function part(text: string): string {
  // URL parsers would resolve a path segment that consists of dots.
  if (text === '' || text.length > MAX_TOKEN_LENGTH || /^\.+$/.test(text)) {
    throw new PlayCallFailed('unknown', 'This is not a Google Play purchase.');
  }
  return encodeURIComponent(text);
}

/** The answer is not from Google, so it shows nothing about a purchase. */
function unreadable(): PlayCallFailed {
  return new PlayCallFailed('unavailable', 'Google Play gave no readable answer.');
}

/** Client for one app until a deadline. Every failure is a `PlayCallFailed`. */
export class PlayApi {
  private readonly base: string;
  private readonly circuit: string;
  private readonly account: ServiceAccount;
  /** Values in Google's answers that this server does not know. */
  readonly unknown: UnknownValue[] = [];

  /** @throws PlayCallFailed if the app has no credentials */
  constructor(
    { packageName, serviceAccount }: PlayApp,
    private readonly clients: GoogleClients,
    private readonly deadline: AbortSignal,
  ) {
    if (serviceAccount === null) {
      throw new PlayCallFailed(
        'credentials',
        'The app has no service account (play_service_account_credentials_json).',
      );
    }
    this.account = serviceAccount;
    this.circuit = packageName;
    this.base = `/androidpublisher/v3/applications/${part(packageName)}`;
  }

  async subscription(token: string): Promise<SubscriptionPurchase> {
    const answer: SubscriptionPurchase = await this.get(`/purchases/subscriptionsv2/tokens/${part(token)}`);
    if (answer.subscriptionState === undefined) throw unreadable();
    this.unknown.push(...unknownInSubscription(answer));
    return withBaseFirst(answer);
  }

  async product(token: string): Promise<ProductPurchase> {
    const answer: ProductPurchase = await this.get(`/purchases/productsv2/tokens/${part(token)}`);
    if (answer.purchaseStateContext === undefined) throw unreadable();
    this.unknown.push(...unknownInProduct(answer));
    return answer;
  }

  /**
   * Whether the customer got a product for free, by a promotional code or as a reward. Only the older call reports
   * this.
   */
  async wasGiven(productId: string, token: string): Promise<boolean> {
    const path = `/purchases/products/${part(productId)}/tokens/${part(token)}`;
    const { purchaseType } = await this.get<{ purchaseType?: number }>(path);
    return purchaseType === PROMOTION || purchaseType === REWARD;
  }

  /** Returns all or none: Google fails the call if it does not know one of them. */
  async orders(ids: string[]): Promise<Order[]> {
    const query = ids.slice(0, MAX_ORDERS).map((id) => `orderIds=${encodeURIComponent(id)}`);
    const { orders } = await this.get<{ orders?: Order[] }>(`/orders:batchGet?${query.join('&')}`);
    this.unknown.push(...(orders ?? []).flatMap(unknownInOrder));
    return orders ?? [];
  }

  order(id: string): Promise<Order> {
    return this.get(`/orders/${part(id)}`);
  }

  async acknowledge({ kind, productId, token }: Acknowledgement): Promise<void> {
    const path = `/purchases/${kind}s/${part(productId)}/tokens/${part(token)}:acknowledge`;
    await this.send({ method: 'POST', path, body: {} });
  }

  /** Allows the product to be bought again, and acknowledges it. */
  async consume({ productId, token }: Acknowledgement): Promise<void> {
    const path = `/purchases/products/${part(productId)}/tokens/${part(token)}:consume`;
    await this.send({ method: 'POST', path, body: {} });
  }

  /** Turns auto-renew off. */
  async cancel(token: string): Promise<void> {
    const cancellationContext = { cancellationType: 'DEVELOPER_REQUESTED_STOP_PAYMENTS' };
    const path = `/purchases/subscriptionsv2/tokens/${part(token)}:cancel`;
    await this.send({ method: 'POST', path, body: { cancellationContext } });
  }

  /** Refunds the latest payment and ends access now. `itemId` limits both to that item. */
  async revoke(token: string, itemId: string | null = null): Promise<void> {
    const path = `/purchases/subscriptionsv2/tokens/${part(token)}:revoke`;
    const revocationContext =
      itemId === null ? { fullRefund: {} } : { itemBasedRefund: { productId: itemId } };
    await this.send({ method: 'POST', path, body: { revocationContext } });
  }

  /** `revoke` also ends access. */
  async refundOrder(orderId: string, revoke: boolean): Promise<void> {
    await this.send({ method: 'POST', path: `/orders/${part(orderId)}:refund?revoke=${revoke}` });
  }

  /** Answers a review of a chargeback. Only the first answer counts; Google accepts and ignores later ones. */
  async reviewRefund(orderId: string, pendingRefundToken: string, review: RefundReview): Promise<void> {
    const path = `/orders/${part(orderId)}:reviewrefund`;
    await this.send({ method: 'POST', path, body: { pendingRefundToken, ...review } });
  }

  /** Returns the new end, epoch ms. @throws PlayCallFailed; `unavailable` if the end changed twice meanwhile */
  async defer(token: string, seconds: number): Promise<number> {
    try {
      return await this.deferNow(token, seconds);
    } catch (error) {
      if (!(error instanceof PlayCallFailed) || error.reason !== CONFLICT) throw error;
      return this.deferNow(token, seconds);
    }
  }

  private async deferNow(token: string, seconds: number): Promise<number> {
    const { etag } = await this.subscription(token);
    const deferralContext = { deferDuration: `${seconds}s`, ...(etag !== undefined && { etag }) };
    const path = `/purchases/subscriptionsv2/tokens/${part(token)}:defer`;
    const answer = await this.send<{ itemExpiryTimeDetails?: { expiryTime?: string }[] }>({
      method: 'POST',
      path,
      body: { deferralContext },
    });
    const endMs = Date.parse(answer.itemExpiryTimeDetails?.[0]?.expiryTime ?? '');
    if (Number.isNaN(endMs)) {
      throw new PlayCallFailed('unavailable', 'Google Play gave no new end of the subscription.');
    }
    return endMs;
  }

  /** Reports a transaction that was paid for outside Google Play. */
  async createExternalTransaction(id: string, body: ExternalTransaction): Promise<void> {
    const path = `/externalTransactions?externalTransactionId=${encodeURIComponent(id)}`;
    await this.send({ method: 'POST', path, body });
  }

  async refundExternalTransaction(id: string, body: ExternalTransactionRefund): Promise<void> {
    await this.send({ method: 'POST', path: `/externalTransactions/${part(id)}:refund`, body });
  }

  externalTransaction(id: string): Promise<ReportedTransaction> {
    return this.get(`/externalTransactions/${part(id)}`);
  }

  /** Purchases voided since a time (epoch ms, at most thirty days ago). */
  async voided(sinceMs: number, page: string | null): Promise<VoidedPage> {
    const query = new URLSearchParams({
      type: '1',
      includeQuantityBasedPartialRefund: 'true',
      startTime: String(sinceMs),
      maxResults: String(VOIDED_PAGE),
      ...(page !== null && { token: page }),
    });
    const answer = await this.get<{
      voidedPurchases?: VoidedPurchase[];
      tokenPagination?: { nextPageToken?: string };
    }>(`/purchases/voidedpurchases?${query.toString()}`);
    return { purchases: answer.voidedPurchases ?? [], next: answer.tokenPagination?.nextPageToken ?? null };
  }

  /** A page of the app's catalog after the page that named `after`; null: the first. */
  async catalogPage(
    list: keyof typeof catalogPaths,
    after: string | null,
  ): Promise<{ items: Record<string, unknown>[]; next: string | null }> {
    const query = new URLSearchParams({
      pageSize: String(CATALOG_PAGE),
      ...(after !== null && { pageToken: after }),
    });
    const { [list]: items = [], nextPageToken } = await this.get<Record<string, unknown>>(
      `${catalogPaths[list]}?${query.toString()}`,
    );
    if (!Array.isArray(items) || !items.every(isJsonObject)) throw unreadable();
    const next = typeof nextPageToken === 'string' && nextPageToken !== '' ? nextPageToken : null;
    return { items, next };
  }

  /** Returns if the account can read the app's purchases, throws otherwise. */
  async check(): Promise<void> {
    await this.get('/purchases/voidedpurchases?maxResults=1');
  }

  private get<T>(path: string): Promise<T> {
    return this.send<T>({ method: 'GET', path });
  }

  private async send<T>({ path, ...request }: Omit<PlayRequest, 'circuit'>): Promise<T> {
    const answer = await this.clients.call(
      this.account,
      { ...request, circuit: this.circuit, path: `${this.base}${path}` },
      this.deadline,
    );
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
      throw unreadable();
    }
    return answer as T;
  }
}
