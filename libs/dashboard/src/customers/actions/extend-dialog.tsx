import type { Schema } from '../../api/types.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { NumberField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useCustomer } from '../customer-context.js';
import type { Subscription } from '../purchases/purchases.queries.js';
import { useProductName } from '../purchases/use-bought.js';
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

const initial = { extend_by_days: '', extend_reason_code: 'customer_satisfaction' as Reason };

/** Extends a subscription for free. */
export function ExtendDialog({ subscription, onClose }: ExtendDialogProps) {
  const { projectId, done } = useCustomer();
  const product = useProductName(subscription.id);
  const { extend } = useSubscriptionWrites(projectId, subscription.id);
  const isApple = subscription.store === 'app_store' || subscription.store === 'mac_app_store';
  const bodyOf = ({ extend_by_days: days, extend_reason_code: reason }: typeof initial) => ({
    extend_by_days: Number(days),
    ...(isApple && { extend_reason_code: reason }),
  });
  const form = useForm({
    initial: initial,
    check: ({ extend_by_days: days }) => ({ extend_by_days: days === '' ? 'Enter a number of days.' : null }),
    write: extend,
    onSubmit: (values) =>
      extend.mutate(bodyOf(values), {
        onSuccess: () => {
          onClose();
          done({ title: `Extended ${product}`, target: subscription.id });
        },
      }),
  });
  if (!canDo(subscription.store, 'extend'))
    return (
      <ElsewhereDialog
        title={`Extend ${product}`}
        store={subscription.store}
        managementUrl={subscription.management_url}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={visibleText(`Extend ${product}`)}
      effect="Postpones the next renewal. The added days are free of charge."
      submit="Extend"
      form={form}
      call={{
        operation: 'POST /v2/projects/{project_id}/subscriptions/{subscription_id}/actions/extend',
        path: { project_id: projectId, subscription_id: subscription.id },
        body: bodyOf(form.values),
      }}
      onClose={onClose}
    >
      <NumberField integer required label="Days to add" {...form.field('extend_by_days')} />
      {isApple && (
        <SelectField
          label="Reason"
          hint="Required by the App Store."
          options={Object.entries(reasonLabels).map(([value, label]) => ({ value, label }))}
          {...form.field('extend_reason_code')}
        />
      )}
    </FormDialog>
  );
}
