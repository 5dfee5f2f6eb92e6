import type { Environment } from '../../engine/index.js';
import type {
  KeysOfOrders,
  NamedPurchase,
  PostedReceipt,
  Refreshed,
  StoreAccount,
  StoreAdapter,
  StoreContext,
  UnknownValue,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from '../contract.js';
import { impossibleTimes } from '../store-times.js';
import { withHints } from '../device-hints.js';
import { withUnknown } from '../unknown-values.js';
import type { GoogleClients } from './google-clients.js';
import { type PlayHints, withPlayHints } from './hints.js';
import { linkedPurchases } from './linked-purchases.js';
import { tokensOfOrders } from './order-tokens.js';
import { PlayApi } from './play-api.js';
import type { PlayApp } from './play-app.js';
import { isInvalidToken, neverPaid, PlayCallFailed, UNCLEAR, unclear } from './play-errors.js';
import { type Order, type ProductPurchase, type SubscriptionPurchase, timeOf } from './play-resources.js';
import { productFacts, productKey, productState, tokenOfKey } from './product-facts.js';
import { reconciledProduct, subscriptionReport } from './reconciled.js';
import { baseItem, noPlayContext, ordersOf, type PlayContext } from './subscription-report.js';
import { stateOf, reportsPaidEnd } from './subscription-state.js';
import { notPaidYet, verificationFailure } from './verification-failure.js';

export interface GoogleServices {
  clients: GoogleClients;
  nowMs: () => number;
  /** Limit for all calls of one receipt combined. */
  deadlineMs: number;
}

export interface PlayPurchase {
  environment: Environment;
  purchases: VerifiedPurchase[];
  accounts: StoreAccount[];
  /** Keys of earlier subscriptions with the same owner. */
  predecessors: string[];
  /** The orders could not be read, so payments and refunds must be fetched later. */
  isUnfinished: boolean;
  unknown?: UnknownValue[];
}

function accountsOf(...ids: (string | undefined)[]): StoreAccount[] {
  return ids.flatMap((key) => (key === undefined ? [] : [{ kind: 'play_obfuscated_account_id', key }]));
}

/**
 * Google refunds an unacknowledged purchase after three days, so this leaves a day for failures. Test purchases are
 * refunded after minutes and cannot wait.
 */
const DECIDE_WITHIN_MS = 48 * 3_600_000;

function decideBy({ purchaseCompletionTime, testPurchaseContext }: ProductPurchase): { decideByMs?: number } {
  const purchasedAtMs = timeOf(purchaseCompletionTime);
  if (purchasedAtMs === null || testPurchaseContext !== undefined) return {};
  return { decideByMs: purchasedAtMs + DECIDE_WITHIN_MS };
}

export class GooglePlay implements StoreAdapter {
  readonly store = 'play_store';

  constructor(
    private readonly app: PlayApp,
    private readonly services: GoogleServices,
  ) {}

  async verify(receipt: PostedReceipt, context: StoreContext): Promise<Verified | VerificationFailure> {
    const { fetchToken, productIds, price } = receipt;
    const types = productIds.map((id) => context.product(id)?.type);
    const isProduct =
      types.length > 0 && types.every((type) => type !== undefined && type !== 'subscription');
    const playContext: PlayContext = {
      devicePrice: price,
      durationOf: (productId, planId) =>
        (planId === null ? undefined : context.product(`${productId}:${planId}`)?.duration) ??
        context.product(productId)?.duration ??
        null,
    };
    const found = await this.find(
      fetchToken,
      isProduct,
      playContext,
      {},
      (productId) => context.product(productId)?.type === 'consumable',
    );
    if ('failure' in found) return found;
    const { environment, purchases, accounts, isUnfinished, unknown } = found;
    const unfinished = isUnfinished ? [fetchToken] : [];
    const hinted = withHints(purchases, receipt);
    return { failure: null, environment, purchases: hinted, accounts, unfinished, unknown };
  }

  async refresh(key: string, environment: Environment): Promise<Refreshed | VerificationFailure> {
    const found = await this.read(tokenOfKey(key));
    if ('failure' in found) return found;
    const { purchases, isUnfinished, unknown } = found;
    if (found.environment !== environment)
      return { failure: null, purchases: [], unfinished: false, unknown };
    return { failure: null, purchases, unfinished: isUnfinished, unknown };
  }

  async order(orderId: string): Promise<Verified | VerificationFailure> {
    try {
      const api = new PlayApi(this.app, this.services.clients, AbortSignal.timeout(this.services.deadlineMs));
      const { purchaseToken } = await api.order(orderId);
      if (purchaseToken === undefined) throw new PlayCallFailed('unknown', 'The order contains no purchase.');
      const found = await this.read(purchaseToken);
      if ('failure' in found) return found;
      const { environment, purchases, accounts, isUnfinished, unknown } = found;
      const unfinished = isUnfinished ? [purchaseToken] : [];
      return { failure: null, environment, purchases, accounts, unfinished, unknown };
    } catch (error) {
      if (error instanceof PlayCallFailed) return verificationFailure(error);
      throw error;
    }
  }

  async lookUp({ id }: NamedPurchase): Promise<Verified | VerificationFailure> {
    const found = await this.read(id);
    if ('failure' in found) return found;
    const { environment, purchases, accounts, isUnfinished, unknown } = found;
    return { failure: null, environment, purchases, accounts, unfinished: isUnfinished ? [id] : [], unknown };
  }

  async keysOfOrders(orderIds: string[], goOn: () => Promise<boolean>): Promise<KeysOfOrders> {
    const { clients, deadlineMs } = this.services;
    const orders = (ids: string[]): Promise<Order[]> =>
      new PlayApi(this.app, clients, AbortSignal.timeout(deadlineMs)).orders(ids);
    const { tokens, unknown, failed } = await tokensOfOrders({ orders }, orderIds, goOn);
    return { keys: tokens, unknown, failure: failed && verificationFailure(failed) };
  }

  async read(
    token: string,
    hints: PlayHints = {},
    isProduct = false,
  ): Promise<PlayPurchase | VerificationFailure> {
    const found = await this.find(token, isProduct, noPlayContext, hints, () => false);
    return impossibleTimes(found) ?? found;
  }

  private async find(
    token: string,
    isProduct: boolean,
    context: PlayContext,
    hints: PlayHints,
    isConsumable: (productId: string) => boolean,
  ): Promise<PlayPurchase | VerificationFailure> {
    const { clients, deadlineMs } = this.services;
    try {
      const api = new PlayApi(this.app, clients, AbortSignal.timeout(deadlineMs));
      try {
        return withUnknown(
          await this.findWith(api, token, isProduct, context, hints, isConsumable),
          api.unknown,
        );
      } catch (error) {
        if (!(error instanceof PlayCallFailed)) throw error;
        return withUnknown(verificationFailure(error), api.unknown);
      }
    } catch (error) {
      // The app's credentials cannot be used.
      if (error instanceof PlayCallFailed) return verificationFailure(error);
      throw error;
    }
  }

  private async findWith(
    api: PlayApi,
    token: string,
    isProduct: boolean,
    context: PlayContext,
    hints: PlayHints,
    isConsumable: (productId: string) => boolean,
  ): Promise<PlayPurchase | VerificationFailure> {
    const kinds = [
      () => this.subscription(api, token, context, hints),
      () => this.product(api, token, context, hints, isConsumable),
    ];
    const [likely, other] = isProduct ? kinds.reverse() : kinds;
    try {
      return await (likely as (typeof kinds)[0])();
    } catch (error) {
      // It is not a subscription, so it may be a product: the catalog may lack it or be wrong.
      if (!(error instanceof PlayCallFailed)) throw error;
      const isFinal = error.failure === 'unknown' || isInvalidToken(error);
      const isUnclear = error.reason === UNCLEAR || (error.failure === 'refused' && !isFinal);
      if (!isUnclear && !isFinal) throw error;
      return await (other as (typeof kinds)[0])().catch((failed: unknown) => {
        throw isUnclear && failed instanceof PlayCallFailed ? error : failed;
      });
    }
  }

  private async subscription(
    api: PlayApi,
    token: string,
    context: PlayContext,
    hints: PlayHints,
  ): Promise<PlayPurchase | VerificationFailure> {
    const atMs = this.services.nowMs();
    const purchase = await api.subscription(token);
    const state = stateOf(purchase);
    if (state === 'PENDING') return notPaidYet;
    if (state === 'PENDING_PURCHASE_CANCELED') throw neverPaid();
    if (state === 'OTHER') throw unclear(`the state ${purchase.subscriptionState}`);
    if (baseItem(purchase).productId === undefined) throw unclear('no product');
    const isRunning = reportsPaidEnd(state) || state === 'IN_GRACE_PERIOD';
    if (isRunning && timeOf(baseItem(purchase).expiryTime) === null) throw unclear('no end of any item');
    const unread = new Set<string>();
    const paidWith = async (key: string, found: SubscriptionPurchase): Promise<Order[]> => {
      const orders = await this.orders(api, ordersOf(key, found));
      if (orders === null) unread.add(key);
      return orders ?? [];
    };
    const subject = { token, purchase, orders: await paidWith(token, purchase), atMs, context };
    const linked = await linkedPurchases(api, subject, paidWith, unread);
    const { continues } = linked;
    const { facts, settle } = subscriptionReport(subject, continues !== null, (report) =>
      withPlayHints(report.facts, report.latestKey, hints, atMs),
    );
    const isOwed = purchase.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_PENDING' && state !== 'EXPIRED';
    const { externalAccountIdentifiers: account, outOfAppPurchaseContext: outside } = purchase;
    return {
      environment: purchase.testPurchase === undefined ? 'production' : 'sandbox',
      // Replaced purchases come first.
      purchases: [
        ...linked.purchases,
        {
          kind: 'subscription',
          key: token,
          ...(continues !== null && { continues }),
          firstPostStands: false,
          observation: { atMs, facts },
          settle,
          ...(isOwed && {
            acknowledge: { kind: 'subscription', productId: baseItem(purchase).productId ?? '' },
          }),
        },
      ],
      accounts: accountsOf(
        account?.obfuscatedExternalAccountId,
        outside?.expiredExternalAccountIdentifiers?.obfuscatedExternalAccountId,
      ),
      predecessors: [
        ...linked.tokens,
        ...(outside?.expiredPurchaseToken === undefined ? [] : [outside.expiredPurchaseToken]),
      ],
      isUnfinished: unread.size > 0,
    };
  }

  private async product(
    api: PlayApi,
    token: string,
    context: PlayContext,
    { revoked }: PlayHints,
    isConsumable: (productId: string) => boolean,
  ): Promise<PlayPurchase | VerificationFailure> {
    const atMs = this.services.nowMs();
    const purchase: ProductPurchase = await api.product(token);
    const { orderId, productLineItem: items = [] } = purchase;
    const state = productState(purchase);
    if (state === 'PENDING') return notPaidYet;
    // A paid purchase that was cancelled has a completion time.
    if (state === 'CANCELLED' && purchase.purchaseCompletionTime === undefined) throw neverPaid();
    if (state !== 'PURCHASED' && state !== 'CANCELLED') throw unclear(`the state ${state}`);
    if (items.length === 0) throw unclear('no product');
    const orders = orderId === undefined ? [] : await this.orders(api, [orderId]);
    const [order = null] = orders ?? [];
    // Free purchases have no order.
    const given = orderId === undefined ? await this.wasGiven(api, items[0]?.productId ?? '', token) : false;
    const report = { token, purchase, order, wasGiven: given === true, atMs, context };
    const isOwed = state === 'PURCHASED' && purchase.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_PENDING';
    return {
      environment: purchase.testPurchaseContext === undefined ? 'production' : 'sandbox',
      purchases: items.map((item, index): VerifiedPurchase => {
        const known = productFacts(report, item);
        const quantity = known.purchase?.value.quantity ?? 1;
        const facts =
          revoked === undefined
            ? known
            : {
                ...known,
                refund: { at: atMs, src: 'api' as const, value: { refundedAtMs: revoked.atMs, quantity } },
              };
        const productId = item.productId ?? '';
        return {
          kind: 'one_time',
          key: productKey(token, item, index),
          firstPostStands: false,
          observation: { atMs, facts },
          settle: reconciledProduct,
          shouldConsume: isConsumable(productId),
          ...(isOwed &&
            index === 0 &&
            !isConsumable(productId) && {
              acknowledge: { kind: 'product', productId, ...decideBy(purchase) },
            }),
        };
      }),
      accounts: accountsOf(purchase.obfuscatedExternalAccountId),
      predecessors: [],
      isUnfinished: orders === null || given === null,
    };
  }

  /** Null if Google cannot answer now. */
  private async wasGiven(api: PlayApi, productId: string, token: string): Promise<boolean | null> {
    try {
      return await api.wasGiven(productId, token);
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      return error.failure === 'unavailable' || error.failure === 'quota' ? null : false;
    }
  }

  /**
   * Reads orders for prices, periods and refunds. Empty if the account has no permission or Google no longer knows one
   * of them. Null if they cannot be read now.
   */
  private async orders(api: PlayApi, ids: string[]): Promise<Order[] | null> {
    const known = ids.filter((id) => id.startsWith('GPA.'));
    if (known.length === 0) return [];
    try {
      return await api.orders(known);
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      if (error.failure === 'unavailable' || error.failure === 'quota') return null;
      if (error.failure !== 'unknown' || known.length === 1) return [];
      return this.orders(api, known.slice(0, 1));
    }
  }
}
