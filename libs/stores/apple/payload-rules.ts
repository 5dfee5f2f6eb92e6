import { isStoreTime } from '../../kernel/index.js';
import { NotGenuine } from './not-genuine.js';
import type { SignedRetentionRequest } from './retention-request.js';
import type {
  SignedAppTransaction,
  SignedNotification,
  SignedRenewal,
  SignedTransaction,
} from './signed-data.js';

/** The App Store opened in 2008. */
const EARLIEST_MS = Date.UTC(2008, 6, 1);
/** Tolerated clock difference. */
const AHEAD_MS = 24 * 3_600_000;

/** Ids become part of URL paths for Apple's API, so only digits are allowed. */
const TRANSACTION_ID = /^[0-9]{1,25}$/;
const PRODUCT_ID = /^[A-Za-z0-9._-]{1,255}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isTransactionId(text: unknown): text is string {
  return typeof text === 'string' && TRANSACTION_ID.test(text);
}

function lacks(what: string): NotGenuine {
  return new NotGenuine(`The signed data lacks a valid ${what}.`);
}

function assertTime(value: unknown, what: string, nowMs: number | null): void {
  const isTime = isStoreTime(value) && value >= EARLIEST_MS;
  if (!isTime || (nowMs !== null && value > nowMs + AHEAD_MS)) throw lacks(what);
}

function assertOptionalTimes(payload: object, names: string[]): void {
  for (const name of names) {
    const value = (payload as Record<string, unknown>)[name];
    if (value !== undefined) assertTime(value, name, null);
  }
}

/** The library does not check the type of a signed payload. These functions throw NotGenuine for another type. */
export function assertTransaction(payload: object, nowMs: number): asserts payload is SignedTransaction {
  const { transactionId, originalTransactionId, productId, type, signedDate, ...dates } =
    payload as SignedTransaction;
  if (!isTransactionId(transactionId)) throw lacks('transactionId');
  if (!isTransactionId(originalTransactionId)) throw lacks('originalTransactionId');
  if (!PRODUCT_ID.test(productId ?? '')) throw lacks('productId');
  if (typeof type !== 'string') throw lacks('type');
  assertTime(signedDate, 'signedDate', nowMs);
  assertTime(dates.purchaseDate, 'purchaseDate', null);
  assertTime(dates.originalPurchaseDate, 'originalPurchaseDate', null);
  assertOptionalTimes(payload, ['expiresDate', 'revocationDate']);
  if (dates.commitmentInfo) assertOptionalTimes(dates.commitmentInfo, ['commitmentExpiresDate']);
}

export function assertRenewal(payload: object, nowMs: number): asserts payload is SignedRenewal {
  const { originalTransactionId, autoRenewProductId, autoRenewStatus, signedDate } = payload as SignedRenewal;
  if (!isTransactionId(originalTransactionId)) throw lacks('originalTransactionId');
  if (!PRODUCT_ID.test(autoRenewProductId ?? '')) throw lacks('autoRenewProductId');
  // Its values are not checked: the App Store may add some.
  if (autoRenewStatus === undefined || autoRenewStatus === null) throw lacks('autoRenewStatus');
  assertTime(signedDate, 'signedDate', nowMs);
  assertOptionalTimes(payload, ['gracePeriodExpiresDate']);
}

export function assertNotification(payload: object, nowMs: number): asserts payload is SignedNotification {
  const { notificationType, notificationUUID, signedDate } = payload as SignedNotification;
  if (typeof notificationType !== 'string') throw lacks('notificationType');
  if (!UUID.test(notificationUUID ?? '')) throw lacks('notificationUUID');
  assertTime(signedDate, 'signedDate', nowMs);
}

export function assertRetentionFields(
  payload: object,
  nowMs: number,
): asserts payload is SignedRetentionRequest {
  const { originalTransactionId, productId, requestIdentifier, signedDate } =
    payload as SignedRetentionRequest;
  if (!isTransactionId(originalTransactionId)) throw lacks('originalTransactionId');
  if (!PRODUCT_ID.test(productId ?? '')) throw lacks('productId');
  if (!UUID.test(requestIdentifier ?? '')) throw lacks('requestIdentifier');
  assertTime(signedDate, 'signedDate', nowMs);
}

export function assertAppTransaction(
  payload: object,
  nowMs: number,
): asserts payload is SignedAppTransaction {
  const { receiptType, receiptCreationDate } = payload as SignedAppTransaction;
  if (typeof receiptType !== 'string') throw lacks('receiptType');
  assertTime(receiptCreationDate, 'receiptCreationDate', nowMs);
  assertOptionalTimes(payload, ['originalPurchaseDate']);
}
