import type { MoneyBack } from './report.js';
import type { RokuApi } from './roku-api.js';
import { RokuCallFailed } from './roku-call-failed.js';
import type { RokuNotification } from './notification.js';
import { transactionKey } from './transaction-id.js';

/** Notifications whose own id is not that of a transaction that sold something. */
const withOwnId = new Set([
  'Cancellation',
  'Refund',
  'Credit',
  'Chargeback',
  'ChargebackReversed',
  'SecondChargeback',
  'UpgradeCancellation',
  'DowngradeCancellation',
]);

export function transactionsToAsk({ type, transactionId, originalId }: RokuNotification): string[] {
  if (withOwnId.has(type) && originalId !== null) return [originalId];
  return originalId === null ? [transactionId] : [transactionId, originalId];
}

/**
 * The refund or chargeback in a notification. The amount of a refund is read from Roku with the app's own key. The
 * amount of a chargeback is only in the notification, and is limited to the price of a transaction of this account.
 */
export async function moneyBackOf(
  api: RokuApi,
  { type, transactionId, originalId, totalMicros, atMs }: RokuNotification,
  nowMs: number,
): Promise<MoneyBack | null> {
  const key = transactionKey(transactionId);
  const ofKey = transactionKey(originalId ?? transactionId);
  if (type === 'Refund') {
    try {
      const refund = await api.refund(transactionId);
      return { ...refund, key, atMs: refund.atMs ?? atMs ?? nowMs, endsAccess: true };
    } catch (error) {
      // It belongs to another account, so nothing was refunded here.
      if (error instanceof RokuCallFailed && error.failure === 'unknown') return null;
      throw error;
    }
  }
  if (type === 'ChargebackReversed')
    return { key, ofKey, amountMicros: null, atMs: atMs ?? nowMs, endsAccess: false };
  if (type !== 'Chargeback' && type !== 'SecondChargeback') return null;
  const amountMicros = Math.abs(totalMicros ?? 0);
  return amountMicros === 0 ? null : { key, ofKey, amountMicros, atMs: atMs ?? nowMs, endsAccess: false };
}
