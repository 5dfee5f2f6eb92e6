import type { ToolDefinition, ToolRun } from '../tool.js';

async function findPurchase({ args: { store_identifier }, call }: ToolRun): Promise<Record<string, unknown>> {
  const [subscriptions, purchases] = await Promise.all([
    call('searchSubscriptions', { store_subscription_identifier: store_identifier }),
    call('searchPurchases', { store_purchase_identifier: store_identifier }),
  ]);
  return { subscriptions, purchases };
}

export const purchaseTools: ToolDefinition[] = [
  {
    name: 'get_subscription',
    title: 'Get a subscription',
    description: 'A subscription with its status, period, price and owner.',
    operations: ['getSubscription'],
    effect: 'read',
    arguments: ['subscription_id'],
  },
  {
    name: 'list_subscription_transactions',
    title: 'List payments of a subscription',
    description: 'The payments of a subscription: the purchase, the start of a trial, renewals.',
    operations: ['listSubscriptionTransactions'],
    effect: 'read',
    arguments: ['subscription_id'],
  },
  {
    name: 'find_purchase',
    title: 'Find a purchase',
    description: 'The subscriptions and one-time purchases with an identifier of the store.',
    operations: ['searchSubscriptions', 'searchPurchases'],
    effect: 'read',
    arguments: [
      {
        name: 'store_identifier',
        from: 'store_subscription_identifier',
        description: 'A transaction id, original transaction id, order id or token.',
      },
    ],
    run: findPurchase,
  },
  {
    name: 'cancel_subscription',
    title: 'Cancel a subscription',
    description:
      'Turns the automatic renewal off at the store; access lasts until the end of the period. Only the customer can turn it on again. Ask the person before.',
    operations: ['cancelSubscription'],
    effect: 'destructive',
    reachesStore: true,
    arguments: ['subscription_id'],
  },
  {
    name: 'extend_subscription',
    title: 'Extend a subscription',
    description:
      'Moves the renewal date of a subscription at the store, for free. Give `days` or `until`. Ask the person before.',
    operations: ['extendSubscription'],
    effect: 'write',
    reachesStore: true,
    arguments: [
      'subscription_id',
      { name: 'days', from: 'extend_by_days', description: 'This, or `until`.' },
      { name: 'until', from: 'extend_until_ms', form: 'time' },
      { name: 'reason', from: 'extend_reason_code' },
    ],
  },
  {
    name: 'refund_subscription',
    title: 'Refund and end a subscription',
    description:
      'Pays the latest payment back through the store and ends access now. This cannot be undone. Ask the person before.',
    operations: ['refundSubscription'],
    effect: 'destructive',
    reachesStore: true,
    arguments: ['subscription_id'],
  },
  {
    name: 'refund_purchase',
    title: 'Refund a one-time purchase',
    description:
      'Pays a purchase back through the store and ends what it unlocks. This cannot be undone. Ask the person before.',
    operations: ['refundPurchase'],
    effect: 'destructive',
    reachesStore: true,
    arguments: ['purchase_id'],
  },
  {
    name: 'list_refund_requests',
    title: 'List refund requests',
    description:
      'Refund requests of the App Store and chargebacks of Google Play, with their answers and outcomes, newest first.',
    operations: ['listRefundRequests'],
    effect: 'read',
    arguments: [
      'store',
      'app_id',
      { name: 'environment', description: 'Default: both.' },
      'answer_status',
      'outcome',
      'policy_id',
      'customer_id',
      'reason',
    ],
  },
  {
    name: 'get_refund_request',
    title: 'Get a refund request',
    description: 'A refund request, with the values that decided about it, its answer and its outcome.',
    operations: ['getRefundRequest'],
    effect: 'read',
    arguments: ['refund_request_id'],
  },
  {
    name: 'answer_refund_request',
    title: 'Answer a refund request',
    description:
      'Sends the store an answer to a refund request that is not answered yet, instead of the one decided. The store may refund the customer because of it, and an answer cannot be taken back. Ask the person before.',
    operations: ['answerRefundRequest'],
    effect: 'destructive',
    reachesStore: true,
    arguments: ['refund_request_id', 'preference', 'delivery_status', 'consumption_percentage', 'note'],
  },
  {
    name: 'preview_refund_policies',
    title: 'Preview refund policies',
    description:
      'How refund policies would have decided about the refund requests of the last days: the given ones, or those saved. Changes nothing.',
    operations: ['previewRefundPolicies'],
    effect: 'read',
    arguments: ['policies', 'days'],
  },
];
