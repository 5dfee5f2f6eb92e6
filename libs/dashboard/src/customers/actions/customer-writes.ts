import type { QueryKey } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { customersKey } from '../customers.queries.js';

interface Restore {
  customer_id: string;
  order_id: string;
}

/** Restores a purchase of a customer who is named by the form. */
export const useRestore = (projectId: string) =>
  useWrite({
    send: ({ customer_id: customerId, order_id: orderId }: Restore, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers/{customer_id}/actions/restore_purchase_by_order_id', {
          params: { path: { project_id: projectId, customer_id: customerId } },
          body: { order_id: orderId },
          headers,
        }),
      ),
    stale: () => [customersKey(projectId)],
  });

/** Changes to a customer. Each invalidates the data of all customers, because a change can affect two of them. */
export function useCustomerWrites(projectId: string, customerId: string) {
  const path = { project_id: projectId, customer_id: customerId };
  const stale = (): QueryKey[] => [customersKey(projectId)];
  const grant = useWrite({
    send: (body: Schema<'GrantEntitlementDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers/{customer_id}/actions/grant_entitlement', {
          params: { path },
          body,
          headers,
        }),
      ),
    stale,
  });
  const revoke = useWrite({
    send: (body: Schema<'RevokeGrantedEntitlementDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers/{customer_id}/actions/revoke_granted_entitlement', {
          params: { path },
          body,
          headers,
        }),
      ),
    stale,
  });
  const assignOffering = useWrite({
    send: (body: Schema<'AssignOfferingDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers/{customer_id}/actions/assign_offering', {
          params: { path },
          body,
          headers,
        }),
      ),
    stale,
  });
  const transfer = useWrite({
    send: (body: Schema<'TransferDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers/{customer_id}/actions/transfer', {
          params: { path },
          body,
          headers,
        }),
      ),
    stale,
  });
  const adjustBalance = useWrite({
    send: (body: Schema<'AdjustBalancesDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers/{customer_id}/virtual_currencies/transactions', {
          params: { path },
          body,
          headers,
        }),
      ),
    stale,
  });
  const setAttributes = useWrite({
    send: (body: Schema<'SetAttributesDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers/{customer_id}/attributes', {
          params: { path },
          body,
          headers,
        }),
      ),
    stale,
  });
  return { grant, revoke, assignOffering, transfer, adjustBalance, setAttributes };
}
