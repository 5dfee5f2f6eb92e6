import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { DateTimeField } from '../../ui/forms/date-time-field.js';
import { useNow } from '../../ui/format/format-context.js';
import { Icon } from '../../ui/icons.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { Time } from '../../ui/format/time.js';
import { useCustomer } from '../customer-context.js';
import { explanationQuery } from '../customers.queries.js';
import { entitlementsQuery } from '../purchases/purchases.queries.js';
import { useCustomerWrites } from './customer-writes.js';
import { type Duration, durations, grantEnd, isNear } from './grant-until.js';

const durationLabels = {
  day: '1 day',
  week: '1 week',
  month: '1 month',
  quarter: '3 months',
  year: '1 year',
  lifetime: 'Lifetime',
  own: 'Date and time',
};

interface GrantValues {
  entitlement_id: string;
  duration: Duration;
  /** The chosen end in milliseconds, used if `duration` is `own`. */
  expires_at: number | null;
}

interface GrantDialogProps {
  entitlementId?: string;
  onClose: () => void;
}

/** Grants access without a purchase, until a time. */
export function GrantDialog({ entitlementId, onClose }: GrantDialogProps) {
  const { projectId, id, done } = useCustomer();
  const { grant, revoke } = useCustomerWrites(projectId, id);
  const entitlements = useQuery(entitlementsQuery(projectId));
  const explanation = useQuery(explanationQuery(projectId, id));
  // Every retry sends the same body, so that it is the same call.
  const [openedAtMs] = useState(useNow());
  const active = (entitlements.data?.items ?? []).filter(({ state }) => state === 'active');
  const endOf = (values: GrantValues) => grantEnd(values.duration, values.expires_at, openedAtMs);
  const bodyOf = (values: GrantValues) => ({
    entitlement_id: values.entitlement_id,
    expires_at: endOf(values) ?? 0,
  });
  const form = useForm<GrantValues>({
    initial: { entitlement_id: entitlementId ?? '', duration: 'month', expires_at: null },
    check: (values) => ({
      entitlement_id: values.entitlement_id === '' ? 'Choose an entitlement' : null,
      expires_at: endOf(values) === null ? 'Enter a date and a time in the future.' : null,
    }),
    write: grant,
    onSubmit: (values) =>
      grant.mutate(bodyOf(values), {
        onSuccess: () => {
          onClose();
          // Undo revokes all grants of the entitlement, so it is offered only if this is the only one.
          const undo = () => revoke.mutateAsync({ entitlement_id: chosen });
          done({ title: `Granted ${name}`, undo: grants.length === 0 ? undo : undefined });
        },
      }),
  });
  const { entitlement_id: chosen, duration } = form.values;
  const name = active.find((entitlement) => entitlement.id === chosen)?.lookup_key ?? chosen;
  const end = endOf(form.values);
  const grants = (explanation.data?.entitlements ?? [])
    .filter((entitlement) => entitlement.entitlement_id === chosen)
    .flatMap(({ sources }) => sources.filter(({ kind, gives_access: gives }) => kind === 'grant' && gives));
  return (
    <FormDialog
      title="Grant an entitlement"
      effect="The customer gets access at once, in every app and without a payment. It ends automatically."
      form={form}
      submit="Grant access"
      call={{
        operation: 'POST /v2/projects/{project_id}/customers/{customer_id}/actions/grant_entitlement',
        path: { project_id: projectId, customer_id: id },
        body: bodyOf(form.values),
      }}
      onClose={onClose}
    >
      <SelectField
        label="Entitlement"
        placeholder="Choose an entitlement"
        options={active.map((entitlement) => ({
          value: entitlement.id,
          label: `${entitlement.lookup_key} (${entitlement.display_name})`,
        }))}
        {...form.field('entitlement_id')}
        error={form.errorAt('entitlement_id') ?? entitlements.error?.message}
      />
      <SelectField
        label="Until"
        options={durations.map((value) => ({ value, label: durationLabels[value] }))}
        {...form.field('duration')}
        error={duration === 'own' ? null : form.errorAt('expires_at')}
      />
      {duration === 'own' ? (
        <DateTimeField label="Ends at" {...form.control('expires_at')} />
      ) : (
        <p className="text-muted">
          Ends at <Time ms={end} show="full" />
        </p>
      )}
      {isNear(
        end,
        grants.map(({ until }) => until),
      ) && (
        <p role="status" className="flex gap-2">
          <Icon name="warning" className="mt-0.5 text-warn" />
          An active grant ends within 2 hours of this time, so nothing would change.
        </p>
      )}
    </FormDialog>
  );
}
