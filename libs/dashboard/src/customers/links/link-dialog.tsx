import { useState } from 'react';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { SecretOnceDialog } from '../../frame/forms/secret-once-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { NumberField, TextField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import type { Summary } from '../customers.queries.js';
import { type RedemptionLink, useCreateLink } from './links.queries.js';

const WEB_STORES = ['stripe', 'paddle', 'rc_billing'];
const ENDED = ['expired', 'refunded'];

export interface WebPurchase {
  id: string;
  kind: 'subscription_id' | 'purchase_id';
  label: string;
}

/** Returns the customer's web purchases that are still valid. */
export function webPurchases(summary: Summary | undefined): WebPurchase[] {
  const of = (rows: Summary['subscriptions'], kind: WebPurchase['kind']): WebPurchase[] =>
    rows
      .filter(({ store, status }) => WEB_STORES.includes(store) && !ENDED.includes(status))
      .map(({ id, product_identifier: product, environment }) => ({
        id,
        kind,
        label: environment === 'sandbox' ? `${product} (sandbox)` : product,
      }));
  return [
    ...of(summary?.subscriptions ?? [], 'subscription_id'),
    ...of(summary?.purchases ?? [], 'purchase_id'),
  ];
}

interface LinkDialogProps {
  purchases: WebPurchase[];
  onClose: () => void;
}

/** Creates a link, then shows its URLs once. */
export function LinkDialog({ purchases, onClose }: LinkDialogProps) {
  const { projectId, id } = useCustomer();
  const create = useCreateLink(projectId, id);
  const [made, setMade] = useState<RedemptionLink | null>(null);
  const form = useForm({
    initial: { purchase: purchases[0]?.id ?? '', email: '', expires_in_minutes: '', send_email: false },
    check: ({ expires_in_minutes: minutes }) => ({
      expires_in_minutes: /^\d{0,5}$/.test(minutes.trim()) ? null : 'Enter a number from 5 to 10080.',
    }),
    write: create,
    onSubmit: () => create.mutate(body, { onSuccess: setMade }),
  });
  const { values, field } = form;
  const { kind, id: purchaseId } = purchases.find((one) => one.id === values.purchase) ?? {
    kind: 'subscription_id' as const,
    id: '',
  };
  const body = {
    [kind]: purchaseId,
    ...(values.email.trim() !== '' && { email: values.email.trim() }),
    ...(values.expires_in_minutes.trim() !== '' && { expires_in_minutes: Number(values.expires_in_minutes) }),
    send_email: values.send_email,
  };
  if (made) {
    return (
      <SecretOnceDialog
        title="Redemption link"
        note="Copy it now: it is shown only once."
        label="Link for emails and pages"
        secret={made.redeem_url_redirect ?? ''}
        onClose={onClose}
      >
        <CodeBlock label="Link that opens the app" code={made.redeem_url ?? ''} copy />
      </SecretOnceDialog>
    );
  }
  return (
    <FormDialog
      title="Create a link"
      effect="The link works once. Earlier links for the same purchase stop working at once."
      form={form}
      submit="Create a link"
      size="sm"
      call={{
        operation: 'POST /v2/projects/{project_id}/redemption_links',
        path: { project_id: projectId },
        body,
      }}
      onClose={onClose}
    >
      <SelectField
        label="Purchase"
        options={purchases.map((one) => ({ value: one.id, label: one.label }))}
        {...field('purchase')}
      />
      <TextField
        label="Email address"
        hint="Required if the customer has an id that is not anonymous. Otherwise the default is the $email that your backend set."
        type="email"
        autoComplete="off"
        optional
        {...field('email')}
      />
      <NumberField
        label="Link lifetime (minutes)"
        hint="Default: the value in the settings."
        integer
        optional
        {...field('expires_in_minutes')}
      />
      <Checkbox label="Send the link by email" {...form.checkbox('send_email')} />
    </FormDialog>
  );
}
