import type { UnknownValue } from '../contract.js';
import { unknownOf } from '../unknown-values.js';
import type { AmazonReceipt } from './receipt-service.js';

const productTypes: ReadonlySet<unknown> = new Set(['SUBSCRIPTION', 'ENTITLED', 'CONSUMABLE']);
const cancelReasons: ReadonlySet<unknown> = new Set([0, 1, 2, 4]);
const notificationTypes: ReadonlySet<unknown> = new Set([
  'CONSUMABLE_PURCHASED',
  'CONSUMABLE_CANCELLED',
  'ENTITLEMENT_PURCHASED',
  'ENTITLEMENT_CANCELLED',
  'SUBSCRIPTION_PURCHASED',
  'SUBSCRIPTION_RENEWED',
  'SUBSCRIPTION_CANCELLED',
  'SUBSCRIPTION_EXPIRED',
  'SUBSCRIPTION_IN_GRACE_PERIOD',
  'SUBSCRIPTION_OUT_OF_GRACE_PERIOD',
  'SUBSCRIPTION_AUTO_RENEWAL_ON',
  'SUBSCRIPTION_AUTO_RENEWAL_OFF',
  'SUBSCRIPTION_SCHEDULED_TO_END',
  'SUBSCRIPTION_MODIFIED_IMMEDIATE',
  'SUBSCRIPTION_MODIFIED_DEFERRED',
  'SUBSCRIPTION_CONVERTED_FREE_TRIAL_TO_PAID',
]);

export function hasKnownType({ productType }: AmazonReceipt): boolean {
  return productTypes.has(productType);
}

export function unknownInReceipt({ productType, cancelReason }: AmazonReceipt): UnknownValue[] {
  return [
    ...unknownOf('productType', productType, productTypes),
    ...unknownOf('cancelReason', cancelReason, cancelReasons),
  ];
}

export function unknownInNotification(type: string): UnknownValue[] {
  return unknownOf('notificationType', type, notificationTypes);
}
