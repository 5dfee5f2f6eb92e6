import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { useSummary } from '../use-summary.js';
import { useCustomer } from '../customer-context.js';
import { offeringsQuery } from '../purchases/purchases.queries.js';
import { useCustomerWrites } from './customer-writes.js';

/** Overrides the offering for one customer. */
export function OfferingDialog({ onClose }: { onClose: () => void }) {
  const { projectId, id, done } = useCustomer();
  const { assignOffering } = useCustomerWrites(projectId, id);
  const summary = useSummary(projectId, id);
  const offerings = useQuery(offeringsQuery(projectId));
  const before = summary.data?.items[0]?.offering_override?.id ?? null;
  const items = (offerings.data?.items ?? []).filter(({ state }) => state === 'active');
  const form = useForm({
    initial: { offering_id: null as string | null },
    write: assignOffering,
    onSubmit: () =>
      assignOffering.mutate(body, {
        onSuccess: () => {
          onClose();
          const undo = () => assignOffering.mutateAsync({ offering_id: before });
          done({
            title: name === null ? 'Offering assignment removed' : `Assigned offering ${name}`,
            undo,
          });
        },
      }),
  });
  // Until another one is picked, the present assignment is chosen, which may still be loading.
  const chosen = form.values.offering_id ?? before ?? '';
  const body = { offering_id: chosen === '' ? null : chosen };
  const name = items.find((offering) => offering.id === chosen)?.lookup_key ?? null;
  return (
    <FormDialog
      title="Assign an offering"
      effect="The customer sees this offering from the next start of the app, whatever other customers see."
      submit="Save"
      form={form}
      call={{
        operation: 'POST /v2/projects/{project_id}/customers/{customer_id}/actions/assign_offering',
        path: { project_id: projectId, customer_id: id },
        body,
      }}
      onClose={onClose}
    >
      <SelectField
        label="Offering"
        {...form.field('offering_id')}
        value={chosen}
        placeholder="None: same as other customers"
        options={items.map((offering) => ({
          value: offering.id,
          label: `${offering.lookup_key} (${offering.display_name})`,
        }))}
        error={form.errorAt('offering_id') ?? offerings.error?.message}
      />
    </FormDialog>
  );
}
