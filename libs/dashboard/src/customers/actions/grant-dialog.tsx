import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateTimeField } from '../../ui/forms/date-time-field.js';
import { useNow } from '../../ui/format/format-context.js';
import { Icon } from '../../ui/icons.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { Time } from '../../ui/format/time.js';
import { useCustomer } from '../customer-context.js';
import { explanationQuery } from '../customers.queries.js';
import { entitlementsQuery } from '../purchases/purchases.queries.js';
import { ActionDialog, fieldError } from './action-dialog.js';
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
  const [chosen, setChosen] = useState(entitlementId ?? '');
  const [duration, setDuration] = useState<Duration>('month');
  const [ownMs, setOwnMs] = useState<number | null>(null);
  const [wasTried, setWasTried] = useState(false);
  // Every retry sends the same body, so that it is the same call.
  const [openedAtMs] = useState(useNow());
  const active = (entitlements.data?.items ?? []).filter(({ state }) => state === 'active');
  const name = active.find((entitlement) => entitlement.id === chosen)?.lookup_key ?? chosen;
  const end = grantEnd(duration, ownMs, openedAtMs);
  const grants = (explanation.data?.entitlements ?? [])
    .filter((entitlement) => entitlement.entitlement_id === chosen)
    .flatMap(({ sources }) => sources.filter(({ kind, gives_access: gives }) => kind === 'grant' && gives));
  const body = { entitlement_id: chosen, expires_at: end ?? 0 };
  const submit = () => {
    setWasTried(true);
    if (chosen === '' || end === null) return;
    grant.mutate(body, {
      onSuccess: () => {
        onClose();
        // Undo revokes all grants of the entitlement, so it is offered only if this is the only one.
        const undo = () => revoke.mutateAsync({ entitlement_id: chosen });
        done({ title: `Granted ${name}`, undo: grants.length === 0 ? undo : undefined });
      },
    });
  };
  return (
    <ActionDialog
      title="Grant an entitlement"
      effect="The customer gets access at once, in every app and without a payment. It ends by itself."
      submit="Grant access"
      busy={grant.isPending}
      error={grant.error}
      fields={['entitlement_id', 'expires_at']}
      isDirty={ownMs !== null && !grant.isSuccess}
      call={{
        operation: 'POST /v2/projects/{project_id}/customers/{customer_id}/actions/grant_entitlement',
        path: { project_id: projectId, customer_id: id },
        body,
      }}
      onClose={onClose}
      onSubmit={submit}
    >
      <SelectField
        label="Entitlement"
        value={chosen}
        placeholder="Choose an entitlement"
        options={active.map((entitlement) => ({
          value: entitlement.id,
          label: `${entitlement.lookup_key} (${entitlement.display_name})`,
        }))}
        error={
          (wasTried && chosen === '' ? 'Choose an entitlement' : null) ??
          fieldError(grant.error, 'entitlement_id') ??
          entitlements.error?.message
        }
        onChange={({ target }) => setChosen(target.value)}
      />
      <SelectField
        label="Until"
        value={duration}
        options={durations.map((value) => ({ value, label: durationLabels[value] }))}
        error={duration === 'own' ? null : fieldError(grant.error, 'expires_at')}
        onChange={({ target }) => setDuration(target.value as Duration)}
      />
      {duration === 'own' ? (
        <DateTimeField
          label="Ends at"
          ms={ownMs}
          error={
            (wasTried && end === null ? 'Enter a date and a time in the future.' : null) ??
            fieldError(grant.error, 'expires_at')
          }
          onChange={setOwnMs}
        />
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
          <Icon name="warning" className="mt-0.5 text-warn" />A grant that is active ends within 2 hours of
          this time, so nothing would change.
        </p>
      )}
    </ActionDialog>
  );
}
