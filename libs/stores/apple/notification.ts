import type { RefundFact } from '../../engine/index.js';
import { isJsonObject, parseJson } from '../../kernel/index.js';
import type { UnknownValue, VerifiedPurchase } from '../contract.js';
import type { RefundOutcomeReport } from '../refunds/refund-report.js';
import { distinct } from '../unknown-values.js';
import { type AppleApp, type AppleEnvironment, environmentOf } from './apple-app.js';
import type { AppleVerifier } from './apple-verifier.js';
import { type ExternalPurchaseToken, externalTokenIn } from './external-purchase-token.js';
import { NotGenuine } from './not-genuine.js';
import { type NotificationRule, notificationRule } from './notification-rules.js';
import { AccountPurchases } from './purchases.js';
import { notifiedRefund, refundAfterReversal } from './refund-facts.js';
import { type AppleRefundRequest, refundOutcomeIn, refundRequestIn } from './refund-notices.js';
import { isPartOfPeriod } from './seats.js';
import type { SignedNotification, SignedRenewal, SignedTransaction } from './signed-data.js';
import { isSubscription, noContext, purchaseKeyOf } from './transaction-facts.js';
import { unknownInNotification } from './unknown-values.js';

export interface AppleNotification {
  uuid: string;
  type: string;
  subtype: string | null;
  environment: AppleEnvironment | null;
  signedAtMs: number;
  transaction: SignedTransaction | null;
  /** Null if it is not about a purchase. */
  purchaseKey: string | null;
  purchases: VerifiedPurchase[];
  refresh: boolean;
  ignored: boolean;
  /** The result of extending all subscribers of a product; null for other notifications. */
  summary: NonNullable<SignedNotification['summary']> | null;
  /** Null for a notification of another type. */
  refundRequest: AppleRefundRequest | null;
  /** Null for a notification that reports no decision about a refund. */
  refundOutcome: RefundOutcomeReport | null;
  /** A token of a purchase outside the App Store that was not reported; null for other notifications. */
  externalToken: ExternalPurchaseToken | null;
  unknown: UnknownValue[];
}

function signedPayloadOf(body: Buffer): string {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch {
    throw new NotGenuine('The body is not JSON.');
  }
  if (!isJsonObject(value) || typeof value.signedPayload !== 'string') {
    throw new NotGenuine('The body holds no signedPayload.');
  }
  return value.signedPayload;
}

/** Refund facts that only the notification's type carries; null if it adds nothing to its transaction. */
function refundBy(rule: NotificationRule, transaction: SignedTransaction, atMs: number): RefundFact | null {
  if (rule.refund === 'reversed') return refundAfterReversal(transaction);
  if (rule.refund === 'money') return notifiedRefund(transaction);
  const isRevoked = rule.refund === undefined || transaction.revocationDate !== undefined;
  return isRevoked ? null : { revokedAtMs: atMs, kind: 'family', amountMicros: null };
}

function addRefund(
  collected: AccountPurchases,
  transaction: SignedTransaction,
  rule: NotificationRule,
  atMs: number,
): void {
  const value = refundBy(rule, transaction, atMs);
  if (value !== null) collected.addRefund(transaction, value, Math.max(atMs, transaction.signedDate));
}

function collectedFrom(
  notification: SignedNotification,
  rule: NotificationRule,
  transaction: SignedTransaction | null,
  renewal: SignedRenewal | null,
): AccountPurchases {
  const collected = new AccountPurchases(noContext);
  if (!transaction) return collected;
  collected.addTransaction(transaction);
  addRefund(collected, transaction, rule, notification.signedDate);
  if (renewal && isSubscription(transaction)) {
    collected.addRenewal(purchaseKeyOf(transaction), renewal, {
      ...(rule.ofLatest && { latest: transaction }),
      overrides: rule.renewal?.(notification, renewal) ?? {},
    });
  }
  return collected;
}

function environmentIn({ data, summary, appData }: SignedNotification): AppleEnvironment | null {
  const environment = data?.environment ?? summary?.environment ?? appData?.environment;
  return environment === 'Production' || environment === 'Sandbox' ? environment : null;
}

/** Verifies all signed data in it, too. @throws NotGenuine if any part is not Apple's or not for this app */
export async function readNotification(
  verifier: AppleVerifier,
  app: Pick<AppleApp, 'bundleId' | 'appAppleId'>,
  body: Buffer,
): Promise<AppleNotification> {
  const notification = await verifier.notification(app, signedPayloadOf(body));
  const { signedTransactionInfo, signedRenewalInfo } = notification.data ?? {};
  const transaction =
    signedTransactionInfo === undefined ? null : await verifier.transaction(app, signedTransactionInfo);
  const renewal = signedRenewalInfo === undefined ? null : await verifier.renewal(app, signedRenewalInfo);
  if (transaction && renewal && transaction.originalTransactionId !== renewal.originalTransactionId) {
    throw new NotGenuine('The renewal information belongs to another subscription.');
  }
  const { notificationType: type, subtype, notificationUUID: uuid, signedDate, summary } = notification;
  const environment = environmentIn(notification);
  if (transaction && transaction.environment !== environment) {
    throw new NotGenuine('The transaction belongs to another environment.');
  }
  const rule = notificationRule(type);
  const collected = collectedFrom(notification, rule, transaction, renewal);
  return {
    uuid,
    type,
    subtype: subtype ?? null,
    environment,
    signedAtMs: signedDate,
    transaction,
    purchaseKey: transaction && purchaseKeyOf(transaction),
    purchases: environment === null ? [] : collected.of(environmentOf(environment)),
    // The first transaction of the period may be unknown.
    refresh:
      rule.refresh?.(subtype, transaction) === true || (transaction !== null && isPartOfPeriod(transaction)),
    ignored: rule.ignored === true,
    summary: summary ?? null,
    refundRequest: refundRequestIn(notification, transaction),
    refundOutcome: refundOutcomeIn(notification, transaction),
    externalToken: externalTokenIn(notification.externalPurchaseToken),
    unknown: distinct([...unknownInNotification(notification, transaction), ...collected.unknown]),
  };
}
