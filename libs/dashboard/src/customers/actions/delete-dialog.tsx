import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, call } from '../../api/client.js';
import { useWrite } from '../../api/write.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { useSummary } from '../use-summary.js';
import { useCustomer } from '../customer-context.js';
import { customerKey, customersKey } from '../customers.queries.js';

const effectText = (subscriptions: number, purchases: number) =>
  `Deletes the customer with ${subscriptions} ${subscriptions === 1 ? 'subscription' : 'subscriptions'}, ${purchases} ${purchases === 1 ? 'purchase' : 'purchases'}, attributes, balances and events. This cannot be undone, and no webhook is sent. The store keeps charging. A new receipt creates the customer again.`;

/** Deletes the customer after their id is typed. */
export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { projectId, id } = useCustomer();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const summary = useSummary(projectId, id).data?.items[0];
  const path = { project_id: projectId, customer_id: id };
  const remove = useWrite({
    send: (_: void, headers) =>
      call(api.DELETE('/v2/projects/{project_id}/customers/{customer_id}', { params: { path }, headers })),
  });
  const leave = async () => {
    // The list must not show the deleted customer, even briefly.
    queries.removeQueries({ queryKey: [...customersKey(projectId), 'list'] });
    await navigate({ to: '/projects/$projectId/customers', params: { projectId }, ignoreBlocker: true });
    // Removed only now, because the customer's page has been left.
    queries.removeQueries({ queryKey: customerKey(projectId, id) });
    void queries.invalidateQueries({ queryKey: customersKey(projectId) });
  };
  return (
    <ConfirmCall
      danger
      title="Delete this customer"
      effect={effectText(summary?.subscriptions.length ?? 0, summary?.purchases.length ?? 0)}
      typed={id}
      confirmLabel="Delete customer"
      write={remove}
      input={undefined}
      done="Customer deleted"
      call={{ operation: 'DELETE /v2/projects/{project_id}/customers/{customer_id}', path }}
      onClose={onClose}
      onDone={leave}
    />
  );
}
