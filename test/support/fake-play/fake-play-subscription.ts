import type {
  Order,
  SubscriptionItem,
  SubscriptionPurchase,
} from '../../../libs/stores/google/play-resources.js';
import type { FakePlay } from './fake-play.js';
import { type FakePlayProduct, microsOf, money, rfc3339 } from './google-values.js';

export interface PlaySubscriptionOptions {
  trial?: boolean;
  intro?: boolean;
  prepaid?: boolean;
  test?: boolean;
  pending?: boolean;
  /** Country of the purchase; default US. */
  region?: string;
  /** The obfuscated account id that the app gave. */
  account?: string;
  replaces?: FakePlaySubscription;
  /** Charge of a replacement that is not charged in full, until the replaced one's paid time is over. */
  proration?: { mode: string; chargeMicros: number };
  /** Products that are sold together with it. */
  addOns?: FakePlayProduct[];
  /** Begins when what the replaced one paid for is over. */
  isDeferred?: boolean;
  /** Continues the replaced one with other add-ons: these come, these go. */
  changes?: { added: FakePlayProduct[]; removed: FakePlayProduct[] };
}

/** One add-on. */
interface AddOn {
  product: FakePlayProduct;
  orderId: string;
  /** Its own end; null: that of the base item. */
  endMs: number | null;
  isRemoved: boolean;
}

const DAY_MS = 86_400_000;
const TRIAL_MS = 7 * DAY_MS;
const INTRO_MICROS = 990_000;
/** Google tells of a purchase for so long after its end. */
const REPORTED_FOR_MS = 60 * DAY_MS;

type Phase = 'FREE_TRIAL' | 'INTRODUCTORY' | 'BASE';
type State = 'ACTIVE' | 'CANCELED' | 'IN_GRACE_PERIOD' | 'ON_HOLD' | 'PAUSED' | 'EXPIRED' | 'PENDING';
/** The customer's answer when they cancel. */
export interface CancelSurvey {
  reason: string;
  reasonUserInput?: string;
}
type CancelContext = NonNullable<SubscriptionPurchase['canceledStateContext']>;

/** One subscription as Google Play would lead it. Each step gives the types of the notifications of it. */
export class FakePlaySubscription {
  readonly token: string;
  readonly baseOrderId: string;
  readonly startMs: number;
  readonly orders: Order[] = [];
  state: State = 'ACTIVE';
  expiryMs = 0;
  isAcknowledged = false;
  private cancelled: CancelContext | null = null;
  private resumeMs: number | null = null;
  private priceChange: string | null = null;
  private paidUntilMs = 0;
  private running: FakePlayProduct;
  private addOns: AddOn[] = [];
  private ownOrders = 0;

  constructor(
    private readonly play: FakePlay,
    private readonly product: FakePlayProduct,
    private readonly options: PlaySubscriptionOptions,
  ) {
    this.token = play.newToken();
    this.baseOrderId = play.newOrderId();
    this.startMs = play.nowMs;
    this.running = product;
    const phase: Phase = options.trial ? 'FREE_TRIAL' : options.intro ? 'INTRODUCTORY' : 'BASE';
    this.addOns = (options.addOns ?? []).map((one) => ({
      product: one,
      orderId: '',
      endMs: null,
      isRemoved: false,
    }));
    if (options.changes && options.replaces) this.goOn(options.replaces, options.changes);
    else if (options.isDeferred && options.replaces) {
      this.takeOver(options.replaces);
      this.addOns = options.replaces.addOns.map((addOn) => ({ ...addOn }));
    } else this.charge(phase, this.startMs);
    if (options.pending) this.state = 'PENDING';
  }

  get latestOrder(): Order {
    return this.orders.at(-1) as Order;
  }

  get latestOrderId(): string {
    return this.latestOrder.orderId ?? '';
  }

  /** Format of the API, without false, zero or empty values. */
  get shown(): SubscriptionPurchase | 'gone' {
    if (this.state === 'EXPIRED' && this.play.nowMs > this.expiryMs + REPORTED_FOR_MS) return 'gone';
    const { id, basePlanId = '', priceMicros } = this.running;
    const { test, account, replaces, prepaid, trial, intro, proration, region = 'US' } = this.options;
    const phase = this.latestOrder.lineItems?.[0]?.subscriptionDetails?.offerPhase;
    const isAutoRenewing = this.state !== 'CANCELED' && this.state !== 'EXPIRED';
    const isDeferred = this.running !== this.product;
    return {
      subscriptionState: `SUBSCRIPTION_STATE_${this.state}`,
      startTime: rfc3339(this.startMs),
      regionCode: region,
      etag: `etag-${this.play.nowMs}-${this.expiryMs}`,
      acknowledgementState: `ACKNOWLEDGEMENT_STATE_${this.isAcknowledged ? 'ACKNOWLEDGED' : 'PENDING'}`,
      ...(replaces && { linkedPurchaseToken: replaces.token }),
      ...(test && { testPurchase: {} }),
      ...(account !== undefined && { externalAccountIdentifiers: { obfuscatedExternalAccountId: account } }),
      ...(this.cancelled && { canceledStateContext: this.cancelled }),
      ...(this.resumeMs !== null && { pausedStateContext: { autoResumeTime: rfc3339(this.resumeMs) } }),
      lineItems: this.play.listed([
        {
          productId: id,
          expiryTime: rfc3339(this.expiryMs),
          latestSuccessfulOrderId: this.latestOrderId,
          ...(isDeferred && { deferredItemReplacement: { productId: this.product.id } }),
          offerDetails: { basePlanId, ...((trial || intro) && { offerId: 'welcome' }) },
          ...this.replacement,
          offerPhase:
            phase === 'FREE_TRIAL'
              ? { freeTrial: {} }
              : phase === 'INTRODUCTORY'
                ? { introductoryPrice: {} }
                : proration && this.orders.length === 1
                  ? { prorationPeriod: {} }
                  : { basePrice: {} },
          ...(prepaid
            ? { prepaidPlan: { allowExtendAfterTime: rfc3339(this.startMs) } }
            : {
                autoRenewingPlan: {
                  recurringPrice: money(priceMicros),
                  ...(isAutoRenewing && !isDeferred && { autoRenewEnabled: true }),
                  ...(this.priceChange !== null && {
                    priceChangeDetails: {
                      priceChangeMode: 'PRICE_INCREASE',
                      priceChangeState: this.priceChange,
                    },
                  }),
                },
              }),
        },
        ...(isDeferred ? [this.deferredItem(isAutoRenewing)] : []),
        ...this.addOns.map((addOn) => this.addOnItem(addOn, isAutoRenewing)),
      ]),
    };
  }

  /** A replacement charges the whole price at once, unless it is prorated. */
  private get replacement(): Pick<SubscriptionItem, 'itemReplacement'> {
    const { replaces, isDeferred, changes, proration } = this.options;
    if (!replaces || isDeferred || changes) return {};
    const { id: productId, basePlanId } = replaces.running;
    const replacementMode = proration?.mode ?? 'CHARGE_FULL_PRICE';
    return { itemReplacement: { productId, basePlanId, replacementMode } };
  }

  /** A later start has no end and no payment yet. */
  private deferredItem(isAutoRenewing: boolean): SubscriptionItem {
    const { id, basePlanId = '', priceMicros } = this.product;
    return {
      productId: id,
      offerDetails: { basePlanId },
      autoRenewingPlan: {
        recurringPrice: money(priceMicros),
        ...(isAutoRenewing && { autoRenewEnabled: true }),
      },
    };
  }

  private addOnItem(
    { product, orderId, endMs, isRemoved }: AddOn,
    isAutoRenewing: boolean,
  ): SubscriptionItem {
    const { id, basePlanId = '', priceMicros } = product;
    return {
      productId: id,
      expiryTime: rfc3339(endMs ?? this.expiryMs),
      latestSuccessfulOrderId: orderId,
      ...(isRemoved && { deferredItemRemoval: {} }),
      offerDetails: { basePlanId },
      offerPhase: { basePrice: {} },
      autoRenewingPlan: {
        recurringPrice: money(priceMicros),
        ...(isAutoRenewing && !isRemoved && endMs === null && { autoRenewEnabled: true }),
      },
    };
  }

  /** The payment was made that the purchase waited for. */
  pay(): number[] {
    this.state = 'ACTIVE';
    return [4];
  }

  renew(): number[] {
    this.charge('BASE', Math.min(this.paidUntilMs, this.play.nowMs));
    return [2];
  }

  cancel(by: 'user' | 'developer' = 'user', cancelSurveyResult?: CancelSurvey): number[] {
    this.state = 'CANCELED';
    this.cancelled =
      by === 'user'
        ? {
            userInitiatedCancellation: {
              cancelTime: rfc3339(this.play.nowMs),
              ...(cancelSurveyResult && { cancelSurveyResult }),
            },
          }
        : { developerInitiatedCancellation: {} };
    return [3];
  }

  restart(): number[] {
    this.state = 'ACTIVE';
    this.cancelled = null;
    return [7];
  }

  /** The charge fails: grace, and the end that Google shows moves with it. */
  fail(graceDays: number): number[] {
    if (graceDays === 0) {
      this.state = 'ON_HOLD';
      return [5];
    }
    this.state = 'IN_GRACE_PERIOD';
    this.expiryMs = this.paidUntilMs + graceDays * DAY_MS;
    return [6];
  }

  hold(): number[] {
    this.state = 'ON_HOLD';
    return [5];
  }

  /** In grace the new period begins where the old one ended, else now. */
  recover(): number[] {
    this.charge('BASE', this.state === 'IN_GRACE_PERIOD' ? this.paidUntilMs : this.play.nowMs);
    return [1];
  }

  expire(): number[] {
    const wasOnHold = this.state === 'ON_HOLD';
    this.cancelled ??= { systemInitiatedCancellation: {} };
    this.state = 'EXPIRED';
    // After a hold Google shows when that ended, later than access did.
    if (wasOnHold) this.expiryMs = this.play.nowMs;
    return wasOnHold ? [3, 13] : [13];
  }

  /** The customer gives up in grace: over at once. */
  cancelInGrace(): number[] {
    this.cancel();
    this.state = 'EXPIRED';
    this.expiryMs = this.play.nowMs;
    return [3, 13];
  }

  schedulePause(): number[] {
    return [11];
  }

  pause(days: number): number[] {
    this.state = 'PAUSED';
    this.resumeMs = this.play.nowMs + days * DAY_MS;
    return [10];
  }

  resume(): number[] {
    this.resumeMs = null;
    this.charge('BASE', this.play.nowMs);
    return [1];
  }

  /** The latest payment given back, and the access with it. */
  revoke(): number[] {
    this.play.refundOrder(this.latestOrder);
    this.play.void(this.token, this.latestOrderId);
    this.cancelled = { systemInitiatedCancellation: {} };
    this.state = 'EXPIRED';
    this.expiryMs = this.play.nowMs;
    return [12, 13];
  }

  defer(ms: number): number[] {
    this.expiryMs += ms;
    this.paidUntilMs += ms;
    const { nowMs } = this.play;
    for (const addOn of this.addOns) if (addOn.endMs !== null && addOn.endMs > nowMs) addOn.endMs += ms;
    return [9];
  }

  changePrice(state: 'OUTSTANDING' | 'CONFIRMED'): number[] {
    this.priceChange = state;
    return [19];
  }

  /** Ends because the customer does not agree to a higher price. */
  endForPrice(): number[] {
    this.cancelled = { systemInitiatedCancellation: {} };
    this.state = 'EXPIRED';
    return [13];
  }

  /** Other add-ons from now on: what comes is paid for until the next renewal, what goes stays until then. */
  changeAddOns(added: FakePlayProduct[], removed: FakePlayProduct[] = []): FakePlaySubscription {
    const next = this.play.subscribe(this.product, { replaces: this, changes: { added, removed } });
    this.state = 'EXPIRED';
    this.expiryMs = this.play.nowMs;
    this.cancelled = { replacementCancellation: {} };
    return next;
  }

  /** One add-on refunded and revoked; the others continue. `isListed`: Google still reports it. */
  revokeAddOn(product: FakePlayProduct, isListed = true): number[] {
    const addOn = this.addOns.find((one) => one.product.id === product.id);
    const order = this.play.orders.get(addOn?.orderId ?? '');
    const total = order?.lineItems?.find(({ productId }) => productId === product.id)?.total;
    const isWhole = order?.lineItems?.length === 1;
    if (order) this.play.refundOrder(order, isWhole ? 1 : microsOf(total) / microsOf(order.total));
    if (addOn) addOn.endMs = this.play.nowMs;
    if (!isListed) this.addOns = this.addOns.filter((one) => one !== addOn);
    return [17];
  }

  revokeItem(productId: string): void {
    const addOn = this.addOns.find(({ product }) => product.id === productId);
    if (addOn) this.revokeAddOn(addOn.product);
  }

  /** A payment for one add-on alone fails, which suspends everything. */
  failAddOn(product: FakePlayProduct): number[] {
    this.state = 'ON_HOLD';
    for (const addOn of this.addOns) if (addOn.product === product) addOn.endMs = this.play.nowMs;
    return [5];
  }

  /** It was never created: the others continue until they end. */
  giveUpAddOn(product: FakePlayProduct): number[] {
    this.addOns = this.addOns.filter((addOn) => addOn.product !== product);
    this.state = 'CANCELED';
    this.cancelled = { systemInitiatedCancellation: {} };
    return [3];
  }

  /** Another plan takes over at once; this life ends with it. */
  replaceBy(product: FakePlayProduct, options: PlaySubscriptionOptions = {}): FakePlaySubscription {
    const next = this.play.subscribe(product, { ...options, replaces: this });
    this.state = 'EXPIRED';
    this.expiryMs = this.play.nowMs;
    this.cancelled = { replacementCancellation: {} };
    return next;
  }

  /** Another plan takes over when what is paid for is over; the token is another from now on. */
  replaceLaterBy(product: FakePlayProduct): FakePlaySubscription {
    const next = this.play.subscribe(product, { replaces: this, isDeferred: true });
    this.state = 'EXPIRED';
    this.expiryMs = this.play.nowMs;
    this.cancelled = { replacementCancellation: {} };
    return next;
  }

  private takeOver({ orders, paidUntilMs, running: product }: FakePlaySubscription): void {
    this.orders.push(...orders);
    this.expiryMs = paidUntilMs;
    this.paidUntilMs = paidUntilMs;
    this.running = product;
  }

  private goOn(
    before: FakePlaySubscription,
    { added, removed }: NonNullable<PlaySubscriptionOptions['changes']>,
  ): void {
    this.takeOver(before);
    this.running = this.product;
    const { nowMs } = this.play;
    const isRemoved = ({ id }: FakePlayProduct): boolean => removed.some((product) => product.id === id);
    this.addOns = before.addOns.map((addOn) => ({
      ...addOn,
      ...(isRemoved(addOn.product) && { isRemoved: true, endMs: this.paidUntilMs }),
    }));
    if (added.length === 0) return;
    const share = ({ priceMicros, periodMs = 1 }: FakePlayProduct): number =>
      Math.round((priceMicros * (this.paidUntilMs - nowMs)) / periodMs / 10_000) * 10_000;
    const lines = added.map((product) => this.line(product, share(product), 'BASE', nowMs, this.paidUntilMs));
    const order = this.order(lines);
    for (const product of added) {
      this.addOns.push({ product, orderId: order.orderId ?? '', endMs: null, isRemoved: false });
    }
  }

  private line(product: FakePlayProduct, price: number, offerPhase: Phase, startMs: number, endMs: number) {
    return {
      productId: product.id,
      total: money(price),
      subscriptionDetails: {
        basePlanId: product.basePlanId ?? '',
        offerPhase,
        servicePeriodStartTime: rfc3339(startMs),
        servicePeriodEndTime: rfc3339(endMs),
      },
    };
  }

  /** A payment of this purchase. */
  private order(lineItems: NonNullable<Order['lineItems']>): Order {
    const count = this.ownOrders++;
    const order: Order = {
      orderId: count === 0 ? this.baseOrderId : `${this.baseOrderId}..${count - 1}`,
      purchaseToken: this.token,
      state: 'PROCESSED',
      createTime: rfc3339(this.play.nowMs),
      total: money(lineItems.reduce((sum, { total }) => sum + microsOf(total), 0)),
      lineItems,
    };
    this.play.orders.set(order.orderId ?? '', order);
    return order;
  }

  private charge(offerPhase: Phase, startMs: number): void {
    const { priceMicros, periodMs = 0 } = this.product;
    const { proration, replaces } = this.options;
    const prorated = this.orders.length === 0 && replaces ? proration : undefined;
    const endMs =
      prorated && replaces
        ? replaces.paidUntilMs
        : startMs + (offerPhase === 'FREE_TRIAL' ? TRIAL_MS : periodMs);
    const listed =
      offerPhase === 'FREE_TRIAL' ? 0 : offerPhase === 'INTRODUCTORY' ? INTRO_MICROS : priceMicros;
    const price = prorated?.chargeMicros ?? listed;
    this.running = this.product;
    this.addOns = this.addOns.filter((addOn) => addOn.endMs === null);
    const order = this.order([
      this.line(this.product, price, offerPhase, startMs, endMs),
      ...this.addOns.map(({ product }) => this.line(product, product.priceMicros, 'BASE', startMs, endMs)),
    ]);
    for (const addOn of this.addOns) addOn.orderId = order.orderId ?? '';
    this.orders.push(order);
    this.state = 'ACTIVE';
    this.cancelled = null;
    this.expiryMs = endMs;
    this.paidUntilMs = endMs;
  }
}
