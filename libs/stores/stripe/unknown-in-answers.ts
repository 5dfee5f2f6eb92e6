import type Stripe from 'stripe';
import type { UnknownValue } from '../contract.js';
import { listed, unknownOf } from '../unknown-values.js';
import type { PaidCharge, StripeHistory, StripeSession } from './stripe-api.js';

const subscriptionStatuses = listed(
  'incomplete incomplete_expired trialing active past_due canceled unpaid paused',
);
const invoiceStatuses = listed('draft open paid uncollectible void');
const chargeStatuses = listed('succeeded pending failed');
const refundStatuses = listed('pending requires_action succeeded failed canceled');
const disputeStatuses = listed(
  'warning_needs_response warning_under_review warning_closed needs_response under_review won lost prevented ' +
    'appeal_needs_response appeal_under_review',
);
const collectionMethods = listed('charge_automatically send_invoice');
const cancellationReasons = listed(
  'cancellation_requested payment_failed payment_disputed canceled_by_retention_policy',
);

export function hasKnownStatus({ status }: Stripe.Subscription): boolean {
  return subscriptionStatuses.has(status);
}

export function hasKnownRefundStatus({ status }: Stripe.Refund): boolean {
  return status === null || refundStatuses.has(status);
}

function unknownInCharge({ status, refunds, disputes = [] }: PaidCharge): UnknownValue[] {
  return [
    ...unknownOf('charge.status', status, chargeStatuses),
    ...(refunds?.data ?? []).flatMap((refund) => unknownOf('refund.status', refund.status, refundStatuses)),
    ...disputes.flatMap((dispute) => unknownOf('dispute.status', dispute.status, disputeStatuses)),
  ];
}

export function unknownInHistory({ subscription, invoices, charges }: StripeHistory): UnknownValue[] {
  const { status, collection_method: method, cancellation_details: details } = subscription;
  return [
    ...unknownOf('subscription.status', status, subscriptionStatuses),
    ...unknownOf('collection_method', method, collectionMethods),
    ...unknownOf('cancellation_details.reason', details?.reason, cancellationReasons),
    ...invoices.flatMap((invoice) => [
      ...unknownOf('invoice.status', invoice.status, invoiceStatuses),
      ...unknownOf('collection_method', invoice.collection_method, collectionMethods),
    ]),
    ...[...charges.values()].flatMap(unknownInCharge),
  ];
}

export function unknownInSession({ payment_intent: intent }: StripeSession): UnknownValue[] {
  const charge = typeof intent === 'object' ? intent?.latest_charge : null;
  return typeof charge === 'object' && charge !== null ? unknownInCharge(charge) : [];
}
