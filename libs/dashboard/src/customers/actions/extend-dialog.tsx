import { useState } from 'react';
import type { Schema } from '../../api/types.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { NumberField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import type { Subscription } from '../purchases/purchases.queries.js';
import { useProductName } from '../purchases/use-product-name.js';
import { ActionDialog, fieldError } from './action-dialog.js';
import { ElsewhereDialog } from './elsewhere-dialog.js';
import { useSubscriptionWrites } from './purchase-writes.js';
import { canDo } from './store-abilities.js';

const reasonLabels = {
  customer_satisfaction: 'Customer satisfaction',
  service_issue_or_outage: 'Service issue or outage',
  other: 'Other',
  undeclared: 'Undeclared',
};

type Reason = NonNullable<Schema<'ExtendSubscriptionDto'>['extend_reason_code']>;

interface ExtendDialogProps {
  subscription: Subscription;
  onClose: () => void;
}

/** Extends a subscription for free. */
export function ExtendDialog({ subscription, onClose }: ExtendDialogProps) {
  const { projectId, done } = useCustomer();
  const product = useProductName(subscription.id);
  const { extend } = useSubscriptionWrites(projectId, subscription.id);
  const [days, setDays] = useState('');
  const [reason, setReason] = useState<Reason>('customer_satisfaction');
  const isApple = subscription.store === 'app_store' || subscription.store === 'mac_app_store';
  if (!canDo(subscription.store, 'extend'))
    return (
      <ElsewhereDialog
        title={`Extend ${product}`}
        store={subscription.store}
        managementUrl={subscription.management_url}
        onClose={onClose}
      />
    );
  const body = { extend_by_days: Number(days), ...(isApple ? { extend_reason_code: reason } : {}) };
  return (
    <ActionDialog
      title={`Extend ${product}`}
      effect="The next renewal moves into the future. The customer pays nothing for the added days."
      submit="Extend"
      busy={extend.isPending}
      error={extend.error}
      fields={['extend_by_days', 'extend_reason_code']}
      isDirty={days !== ''}
      call={{
        operation: 'POST /v2/projects/{project_id}/subscriptions/{subscription_id}/actions/extend',
        path: { project_id: projectId, subscription_id: subscription.id },
        body,
      }}
      onClose={onClose}
      onSubmit={() =>
        extend.mutate(body, {
          onSuccess: () => {
            onClose();
            done({ title: `Extended ${product}`, target: subscription.id });
          },
        })
      }
    >
      <NumberField
        integer
        required
        label="Days to add"
        value={days}
        error={fieldError(extend.error, 'extend_by_days')}
        onChange={({ target }) => setDays(target.value)}
      />
      {isApple && (
        <SelectField
          label="Reason"
          hint="The App Store wants one."
          value={reason}
          options={Object.entries(reasonLabels).map(([value, label]) => ({ value, label }))}
          error={fieldError(extend.error, 'extend_reason_code')}
          onChange={({ target }) => setReason(target.value as Reason)}
        />
      )}
    </ActionDialog>
  );
}
