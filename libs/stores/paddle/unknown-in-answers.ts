import type { UnknownValue } from '../contract.js';
import { listed, unknownOf } from '../unknown-values.js';
import type { PaddleHistory, PaddleSubscription, PaddleTransaction } from './paddle-objects.js';

const subscriptionStatuses = listed('active canceled past_due paused trialing');
const transactionStatuses = listed('draft ready billed paid completed canceled past_due');
const adjustmentStatuses = listed('pending_approval approved rejected reversed');
const adjustmentActions = listed(
  'refund credit chargeback chargeback_warning refund_reverse credit_reverse chargeback_reverse ' +
    'chargeback_warning_reverse',
);
const changeActions = listed('cancel pause resume');

export function hasKnownStatus({ status }: PaddleSubscription): boolean {
  return subscriptionStatuses.has(status);
}

export function hasKnownTransactionStatus({ status }: PaddleTransaction): boolean {
  return transactionStatuses.has(status);
}

export function unknownInTransaction({ status, adjustments }: PaddleTransaction): UnknownValue[] {
  return [
    ...unknownOf('transaction.status', status, transactionStatuses),
    ...(adjustments ?? []).flatMap((adjustment) => [
      ...unknownOf('adjustment.status', adjustment.status, adjustmentStatuses),
      ...unknownOf('adjustment.action', adjustment.action, adjustmentActions),
    ]),
  ];
}

export function unknownInHistory({ subscription, transactions }: PaddleHistory): UnknownValue[] {
  const { status, scheduled_change: change } = subscription;
  return [
    ...unknownOf('subscription.status', status, subscriptionStatuses),
    ...unknownOf('scheduled_change.action', change?.action, changeActions),
    ...transactions.flatMap(unknownInTransaction),
  ];
}
