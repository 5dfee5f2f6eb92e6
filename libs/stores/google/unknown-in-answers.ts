import type { UnknownValue } from '../contract.js';
import { listed, unknownOf } from '../unknown-values.js';
import { surveyReasons } from './cancel-survey.js';
import type { Order, ProductPurchase, SubscriptionPurchase, VoidedPurchase } from './play-resources.js';

const subscriptionStates = listed(
  'UNSPECIFIED PENDING ACTIVE PAUSED IN_GRACE_PERIOD ON_HOLD CANCELED EXPIRED PENDING_PURCHASE_CANCELED',
  'SUBSCRIPTION_STATE_',
);
const acknowledgementStates = listed('UNSPECIFIED PENDING ACKNOWLEDGED', 'ACKNOWLEDGEMENT_STATE_');
const priceChangeStates = listed('PRICE_CHANGE_STATE_UNSPECIFIED OUTSTANDING CONFIRMED APPLIED CANCELED');
const priceChangeModes = listed(
  'PRICE_CHANGE_MODE_UNSPECIFIED PRICE_DECREASE PRICE_INCREASE OPT_OUT_PRICE_INCREASE',
);
/** Google's documents and its answers differ in the prefix. */
const purchaseStates = new Set<unknown>([
  ...listed('UNSPECIFIED PURCHASED CANCELLED PENDING', 'PURCHASE_STATE_'),
  ...listed('PURCHASED CANCELLED PENDING'),
]);
const orderStates = listed(
  'STATE_UNSPECIFIED PENDING PROCESSED CANCELED PENDING_REFUND PARTIALLY_REFUNDED REFUNDED',
);
const partialRefundStates = listed('STATE_UNSPECIFIED PENDING PROCESSED PROCESSED_SUCCESSFULLY');
/** 0 other, 1 remorse, 2 not received, 3 defective, 4 accidental, 5 and 6 fraud, 7 chargeback, 8 unacknowledged. */
const voidedReasons: ReadonlySet<unknown> = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]);

export function isKnownRefundState(state: string | undefined): boolean {
  return state === undefined || partialRefundStates.has(state);
}

export function unknownInSubscription(purchase: SubscriptionPurchase): UnknownValue[] {
  const { subscriptionState, acknowledgementState, canceledStateContext, lineItems = [] } = purchase;
  const survey = canceledStateContext?.userInitiatedCancellation?.cancelSurveyResult?.reason;
  const changes = lineItems.flatMap(({ autoRenewingPlan: plan }) => plan?.priceChangeDetails ?? []);
  return [
    ...unknownOf('subscriptionState', subscriptionState, subscriptionStates),
    ...unknownOf('acknowledgementState', acknowledgementState, acknowledgementStates),
    ...unknownOf('cancelSurveyResult.reason', survey, surveyReasons),
    ...changes.flatMap(({ priceChangeState, priceChangeMode }) => [
      ...unknownOf('priceChangeState', priceChangeState, priceChangeStates),
      ...unknownOf('priceChangeMode', priceChangeMode, priceChangeModes),
    ]),
  ];
}

export function unknownInProduct(purchase: ProductPurchase): UnknownValue[] {
  const { purchaseStateContext, acknowledgementState } = purchase;
  return [
    ...unknownOf('purchaseState', purchaseStateContext?.purchaseState, purchaseStates),
    ...unknownOf('acknowledgementState', acknowledgementState, acknowledgementStates),
  ];
}

export function unknownInOrder({ state, orderHistory }: Order): UnknownValue[] {
  const parts = orderHistory?.partialRefundEvents ?? [];
  return [
    ...unknownOf('order.state', state, orderStates),
    ...parts.flatMap((event) => unknownOf('partialRefundEvents.state', event.state, partialRefundStates)),
  ];
}

export function unknownInVoided(voided: readonly VoidedPurchase[]): UnknownValue[] {
  return voided.flatMap(({ voidedReason }) => unknownOf('voidedReason', voidedReason, voidedReasons));
}
