import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { customersKey } from '../customers.queries.js';

/** Changes to a subscription, which its store executes. */
export function useSubscriptionWrites(projectId: string, subscriptionId: string) {
  const path = { project_id: projectId, subscription_id: subscriptionId };
  const stale = () => [customersKey(projectId)];
  const cancel = useWrite({
    send: (_: void, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/subscriptions/{subscription_id}/actions/cancel', {
          params: { path },
          headers,
        }),
      ),
    stale,
  });
  const extend = useWrite({
    send: (body: Schema<'ExtendSubscriptionDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/subscriptions/{subscription_id}/actions/extend', {
          params: { path },
          body,
          headers,
        }),
      ),
    stale,
  });
  return { cancel, extend };
}

/** The refunded payment, and whether access ends with it. */
export type Refund =
  | { of: 'subscription'; subscriptionId: string }
  | { of: 'payment'; subscriptionId: string; transactionId: string }
  | { of: 'purchase'; purchaseId: string };

export function useRefund(projectId: string) {
  return useWrite({
    send: (refund: Refund, headers): Promise<unknown> => {
      if (refund.of === 'purchase')
        return call(
          api.POST('/v2/projects/{project_id}/purchases/{purchase_id}/actions/refund', {
            params: { path: { project_id: projectId, purchase_id: refund.purchaseId } },
            headers,
          }),
        );
      const path = { project_id: projectId, subscription_id: refund.subscriptionId };
      if (refund.of === 'subscription')
        return call(
          api.POST('/v2/projects/{project_id}/subscriptions/{subscription_id}/actions/refund', {
            params: { path },
            headers,
          }),
        );
      return call(
        api.POST(
          '/v2/projects/{project_id}/subscriptions/{subscription_id}/transactions/{transaction_id}/actions/refund',
          { params: { path: { ...path, transaction_id: refund.transactionId } }, headers },
        ),
      );
    },
    stale: () => [customersKey(projectId)],
  });
}
