import { isJsonObject, isStoreTime, parseJson } from '../../kernel/index.js';
import type { UnknownValue } from '../contract.js';
import { unknownOf } from '../unknown-values.js';

export class NoNotification extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoNotification';
  }
}

const kinds = {
  subscriptionNotification: 'subscription',
  oneTimeProductNotification: 'one_time',
  voidedPurchaseNotification: 'voided',
  pendingRefundReviewNotification: 'refund_review',
  testNotification: 'test',
} as const;

export interface RefundReviewRequest {
  /** Secret: it suffices to answer the request. */
  token: string;
  orderId: string;
  /** Null if Google sent none. */
  reason: 'CHARGEBACK' | 'OTHER' | null;
  obfuscatedAccountId: string | null;
  obfuscatedProfileId: string | null;
}

export interface DeveloperNotification {
  packageName: string;
  /** Epoch ms; null if Google does not send it. */
  eventAtMs: number | null;
  /** `other`: unknown to this server. */
  kind: (typeof kinds)[keyof typeof kinds] | 'other';
  /** Google's number of the type; null for kinds without types. */
  type: number | null;
  purchaseToken: string | null;
  orderId: string | null;
  /** For a voided purchase: its type (null if unknown), and whether Google reports a full refund. */
  voided: { isSubscription: boolean | null; isFull: boolean } | null;
  /** Asks the developer about a chargeback of an order; null for other kinds, and without a token or an order. */
  refundReview: RefundReviewRequest | null;
  unknown: UnknownValue[];
}

export interface PushMessage {
  messageId: string;
  notification: DeveloperNotification;
}

/** Type names of `subscriptionNotification` and `oneTimeProductNotification`. */
export const notificationTypes: Record<'subscription' | 'one_time', Record<number, string>> = {
  subscription: {
    1: 'SUBSCRIPTION_RECOVERED',
    2: 'SUBSCRIPTION_RENEWED',
    3: 'SUBSCRIPTION_CANCELED',
    4: 'SUBSCRIPTION_PURCHASED',
    5: 'SUBSCRIPTION_ON_HOLD',
    6: 'SUBSCRIPTION_IN_GRACE_PERIOD',
    7: 'SUBSCRIPTION_RESTARTED',
    8: 'SUBSCRIPTION_PRICE_CHANGE_CONFIRMED',
    9: 'SUBSCRIPTION_DEFERRED',
    10: 'SUBSCRIPTION_PAUSED',
    11: 'SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED',
    12: 'SUBSCRIPTION_REVOKED',
    13: 'SUBSCRIPTION_EXPIRED',
    17: 'SUBSCRIPTION_ITEMS_CHANGED',
    18: 'SUBSCRIPTION_CANCELLATION_SCHEDULED',
    19: 'SUBSCRIPTION_PRICE_CHANGE_UPDATED',
    20: 'SUBSCRIPTION_PENDING_PURCHASE_CANCELED',
    22: 'SUBSCRIPTION_PRICE_STEP_UP_CONSENT_UPDATED',
  },
  one_time: { 1: 'ONE_TIME_PRODUCT_PURCHASED', 2: 'ONE_TIME_PRODUCT_CANCELED' },
};

const SUBSCRIPTION_PRODUCT = 1;
const ONE_TIME_PRODUCT = 2;
const productTypes: ReadonlySet<unknown> = new Set([SUBSCRIPTION_PRODUCT, ONE_TIME_PRODUCT]);
/**
 * Type 2 is a refund of some of several units. For any other type, the purchase or its order shows what was refunded.
 */
const FULL_REFUND = 1;
const refundTypes: ReadonlySet<unknown> = new Set([FULL_REFUND, 2]);
/** A chargeback is the only reason that servers have seen. */
const reviewReasons: ReadonlySet<unknown> = new Set([7, 'CHARGEBACK']);
const MAX_REFUND_TOKEN = 4_096;
const MAX_ORDER_ID = 256;
/** Fields of a message beside its notification. */
const envelope: ReadonlySet<string> = new Set(['version', 'packageName', 'eventTimeMillis']);
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

function jsonIn(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    value = null;
  }
  if (!isJsonObject(value)) throw new NoNotification('The message is not a JSON object.');
  return value;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

function textWithin(value: unknown, max: number): string | null {
  const text = textOrNull(value);
  return text !== null && text.length <= max ? text : null;
}

/** Google documents only the token and the order id. */
function reviewRequestIn(content: Record<string, unknown>): RefundReviewRequest | null {
  const token = textWithin(content.pendingRefundToken, MAX_REFUND_TOKEN);
  const orderId = textWithin(content.orderId, MAX_ORDER_ID);
  if (token === null || orderId === null) return null;
  const { refundReason: reason = null } = content;
  return {
    token,
    orderId,
    reason: reason === null ? null : reviewReasons.has(reason) ? 'CHARGEBACK' : 'OTHER',
    obfuscatedAccountId: textWithin(content.obfuscatedAccountId, MAX_ORDER_ID),
    obfuscatedProfileId: textWithin(content.obfuscatedProfileId, MAX_ORDER_ID),
  };
}

function unknownIn(kind: DeveloperNotification['kind'], content: Record<string, unknown>): UnknownValue[] {
  const { notificationType, productType, refundType, refundReason } = content;
  if (kind === 'subscription' || kind === 'one_time') {
    const types = new Set<unknown>(Object.keys(notificationTypes[kind]).map(Number));
    return unknownOf('notificationType', notificationType, types);
  }
  if (kind === 'refund_review') {
    const missing = reviewRequestIn(content) === null ? [{ field: 'pendingRefundToken', value: 'none' }] : [];
    return [...unknownOf('refundReason', refundReason, reviewReasons), ...missing];
  }
  if (kind !== 'voided') return [];
  return [
    ...unknownOf('productType', productType, productTypes),
    ...unknownOf('refundType', refundType, refundTypes),
  ];
}

function readData(data: Record<string, unknown>): DeveloperNotification {
  const { packageName, eventTimeMillis } = data;
  const names = (Object.keys(kinds) as (keyof typeof kinds)[]).filter((name) => data[name] !== undefined);
  const [name] = names;
  const eventAt = Number(eventTimeMillis);
  const eventAtMs = Number.isInteger(eventAt) && eventAt > 0 && isStoreTime(eventAt) ? eventAt : null;
  if (typeof packageName !== 'string' || names.length > 1) {
    throw new NoNotification('The message holds no notification of Google Play, or several.');
  }
  if (name === undefined) {
    // Accept an unknown type: Google redelivers a refused message for days, which delays the others.
    if (eventAtMs === null) throw new NoNotification('The message holds no notification of Google Play.');
    const nothing = { type: null, purchaseToken: null, orderId: null, voided: null, refundReview: null };
    const [kind = ''] = Object.keys(data).filter((field) => !envelope.has(field));
    const unknown = [{ field: 'notification', value: kind }];
    return { packageName, eventAtMs, kind: 'other', ...nothing, unknown };
  }
  const content = data[name];
  if (!isJsonObject(content)) throw new NoNotification(`${name} is no object.`);
  return {
    packageName,
    eventAtMs,
    kind: kinds[name],
    type: numberOrNull(content.notificationType),
    purchaseToken: textOrNull(content.purchaseToken),
    orderId: textOrNull(content.orderId),
    voided:
      kinds[name] === 'voided'
        ? {
            isSubscription: productTypes.has(content.productType ?? ONE_TIME_PRODUCT)
              ? content.productType === SUBSCRIPTION_PRODUCT
              : null,
            isFull: content.refundType === FULL_REFUND,
          }
        : null,
    refundReview: kinds[name] === 'refund_review' ? reviewRequestIn(content) : null,
    unknown: unknownIn(kinds[name], content),
  };
}

/** Reads a wrapped message, or bare data whose id is in `bareMessageId`. @throws NoNotification */
export function readPush(body: Buffer, bareMessageId: string | null): PushMessage {
  const value = jsonIn(body.toString('utf8'));
  if (!isJsonObject(value.message)) {
    if (bareMessageId === null) throw new NoNotification('The body is not a Pub/Sub message.');
    return { messageId: bareMessageId, notification: readData(value) };
  }
  const { data, messageId } = value.message;
  if (typeof messageId !== 'string' || messageId === '' || messageId.length > 200) {
    throw new NoNotification('The message has no id.');
  }
  if (typeof data !== 'string' || !BASE64.test(data)) {
    throw new NoNotification('The data of the message is not base64.');
  }
  return { messageId, notification: readData(jsonIn(Buffer.from(data, 'base64').toString('utf8'))) };
}
