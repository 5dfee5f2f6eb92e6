import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { NumberField, TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { appProductsQuery } from '../apps.queries.js';
import { massExtensionBody } from './mass-extension-body.js';
import { type MassExtension, useMassExtend } from './mass-extension.queries.js';
import { environmentLabels, reasonLabels, someCountriesText } from './labels.js';

const dayCountText = (days: string) => (days === '1' ? '1 day' : `${days} days`);

const optionsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

interface MassExtensionFormProps {
  projectId: string;
  appId: string;
  onRequested: (extension: MassExtension) => void;
}

const initial = {
  product_id: '',
  extend_by_days: '7',
  extend_reason_code: 'service_issue_or_outage',
  environment: 'production',
  storefront_country_codes: '',
};

/** Asks for the product and the extension, then for a confirmation of what Apple will do. */
export function MassExtensionForm({ projectId, appId, onRequested }: MassExtensionFormProps) {
  const query = appProductsQuery(projectId, appId);
  const products = useQuery(query);
  const extend = useMassExtend(projectId, appId);
  const may = useMay('massExtendSubscriptions');
  const [isAsking, setIsAsking] = useState(false);
  const { formProps, field, problem, values, isDirty } = useForm({
    initial,
    check: ({ product_id: product, extend_by_days: days }) => ({
      product_id: product === '' ? 'Choose a product.' : null,
      extend_by_days:
        /^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= 90 ? null : 'Enter a number from 1 to 90.',
    }),
    write: extend,
    onSubmit: () => setIsAsking(true),
  });
  useDirtyForm(isDirty && !extend.isSuccess);
  const body = massExtensionBody(values);
  const send = () => {
    setIsAsking(false);
    extend.mutate(body, { onSuccess: onRequested });
  };
  const where =
    body.storefront_country_codes.length === 0
      ? 'all storefronts'
      : someCountriesText(body.storefront_country_codes);
  return (
    <Panel title="New extension">
      <QueryPanel query={products} queryKey={query.queryKey}>
        {({ items }) => {
          const sold = items.filter(({ type }) => type === 'subscription');
          if (sold.length === 0)
            return <p className="text-muted">This app has no subscriptions in the catalog yet.</p>;
          const options = sold.map(({ store_identifier: id }) => ({ value: id, label: visibleText(id) }));
          return (
            <form {...formProps} className="grid max-w-xl gap-4">
              <FormError error={problem} />
              <SelectField
                label="Product"
                placeholder="Choose a product"
                options={options}
                {...field('product_id')}
              />
              <NumberField
                label="Days"
                hint="1 to 90. The sandbox counts minutes."
                integer
                {...field('extend_by_days')}
              />
              <SelectField
                label="Reason"
                options={optionsOf(reasonLabels)}
                {...field('extend_reason_code')}
              />
              <SelectField
                label="Environment"
                options={optionsOf(environmentLabels)}
                {...field('environment')}
              />
              <TextField
                label="Storefronts"
                hint="Three-letter country codes such as USA, DEU. Empty: all."
                optional
                mono
                autoComplete="off"
                {...field('storefront_country_codes')}
              />
              <FormActions>
                <Button type="submit" variant="primary" busy={extend.isPending} disabledReason={may.reason}>
                  Continue
                </Button>
                <ShowCall
                  operation="POST /v2/projects/{project_id}/apps/{app_id}/actions/mass_extend"
                  path={{ project_id: projectId, app_id: appId }}
                  body={body}
                />
              </FormActions>
            </form>
          );
        }}
      </QueryPanel>
      <ConfirmDialog
        open={isAsking}
        title={`Extend every subscription of ${visibleText(values.product_id)}?`}
        confirmLabel="Extend"
        onClose={() => setIsAsking(false)}
        onConfirm={send}
      >
        {`Apple moves the renewal date of every active subscriber in ${where} by ${dayCountText(values.extend_by_days.trim())}, charges nothing for that time, and emails each customer. Apple allows two extensions a year for each customer. This cannot be undone.`}
      </ConfirmDialog>
    </Panel>
  );
}
