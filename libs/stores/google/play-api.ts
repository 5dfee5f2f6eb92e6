import type { GoogleClients, PlayRequest } from './google-clients.js';
import type { PlayApp, ServiceAccount } from './play-app.js';
import { CONFLICT, PlayCallFailed } from './play-errors.js';
import { withBaseFirst } from './subscription-report.js';
import type { Order, ProductPurchase, SubscriptionPurchase, VoidedPurchase } from './play-resources.js';

/** One page of what was given back or taken away. */
export interface VoidedPage {
  purchases: VoidedPurchase[];
  /** Names the next page; null on the last. */
  next: string | null;
}

/** What is to be told Google of a purchase: that it was recorded. */
export interface Acknowledgement {
  kind: 'subscription' | 'product';
  productId: string;
  token: string;
}

const MAX_TOKEN_LENGTH = 1_000;
const VOIDED_PAGE = 1000;
/** Orders that one call may ask for. */
const MAX_ORDERS = 1000;

function part(text: string): string {
  // A whole path segment of dots would be resolved away.
  if (text === '' || text.length > MAX_TOKEN_LENGTH || /^\.+$/.test(text)) {
    throw new PlayCallFailed('unknown', 'This is no purchase of Google Play.');
  }
  return encodeURIComponent(text);
}

/** Something else than Google answers, and must not be taken for its word on a purchase. */
function unreadable(): PlayCallFailed {
  return new PlayCallFailed('unavailable', 'Google Play gave no readable answer.');
}

/** The Google Play Developer API for one app, until a deadline. */
export class PlayApi {
  private readonly base: string;
  private readonly circuit: string;
  private readonly account: ServiceAccount;

  /** @throws PlayCallFailed for an app without credentials */
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

  /** @throws PlayCallFailed */
  async subscription(token: string): Promise<SubscriptionPurchase> {
    const answer: SubscriptionPurchase = await this.get(`/purchases/subscriptionsv2/tokens/${part(token)}`);
    if (answer.subscriptionState === undefined) throw unreadable();
    return withBaseFirst(answer);
  }

  /** @throws PlayCallFailed */
  async product(token: string): Promise<ProductPurchase> {
    const answer: ProductPurchase = await this.get(`/purchases/productsv2/tokens/${part(token)}`);
    if (answer.purchaseStateContext === undefined) throw unreadable();
    return answer;
  }

  /** All of some orders, or none: Google answers nothing when it does not know one. @throws PlayCallFailed */
  async orders(ids: string[]): Promise<Order[]> {
    const query = ids.slice(0, MAX_ORDERS).map((id) => `orderIds=${encodeURIComponent(id)}`);
    const { orders } = await this.get<{ orders?: Order[] }>(`/orders:batchGet?${query.join('&')}`);
    return orders ?? [];
  }

  /** @throws PlayCallFailed */
  order(id: string): Promise<Order> {
    return this.get(`/orders/${part(id)}`);
  }

  /** @throws PlayCallFailed */
  async acknowledge({ kind, productId, token }: Acknowledgement): Promise<void> {
    const path = `/purchases/${kind}s/${part(productId)}/tokens/${part(token)}:acknowledge`;
    await this.send({ method: 'POST', path, body: {} });
  }

  /** Lets a product be bought again; acknowledges it, too. @throws PlayCallFailed */
  async consume({ productId, token }: Acknowledgement): Promise<void> {
    const path = `/purchases/products/${part(productId)}/tokens/${part(token)}:consume`;
    await this.send({ method: 'POST', path, body: {} });
  }

  /** Turns renewal off. @throws PlayCallFailed */
  async cancel(token: string): Promise<void> {
    const cancellationContext = { cancellationType: 'DEVELOPER_REQUESTED_STOP_PAYMENTS' };
    const path = `/purchases/subscriptionsv2/tokens/${part(token)}:cancel`;
    await this.send({ method: 'POST', path, body: { cancellationContext } });
  }

  /**
   * Gives the latest payment of a subscription back, and ends it now; `itemId` only that item of several.
   * @throws PlayCallFailed
   */
  async revoke(token: string, itemId: string | null = null): Promise<void> {
    const path = `/purchases/subscriptionsv2/tokens/${part(token)}:revoke`;
    const revocationContext =
      itemId === null ? { fullRefund: {} } : { itemBasedRefund: { productId: itemId } };
    await this.send({ method: 'POST', path, body: { revocationContext } });
  }

  /** Gives the money of an order back; `revoke` also ends what it unlocked. @throws PlayCallFailed */
  async refundOrder(orderId: string, revoke: boolean): Promise<void> {
    await this.send({ method: 'POST', path: `/orders/${part(orderId)}:refund?revoke=${revoke}` });
  }

  /**
   * Moves the next payment by so many seconds; gives the new end, epoch ms.
   * @throws PlayCallFailed; `unavailable` when the subscription changed meanwhile, twice
   */
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

  /** What was voided since a moment (epoch ms, thirty days ago at most). @throws PlayCallFailed */
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

  /** Returns when the account may read the purchases of the app. @throws PlayCallFailed */
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
