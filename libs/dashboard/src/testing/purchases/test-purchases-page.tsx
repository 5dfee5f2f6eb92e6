import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button, buttonClass } from '../../ui/button.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { NumberField, TextField } from '../../ui/forms/text-field.js';
import { needsNewProduct, needsReceiver, purchaseBody, type PurchaseFields } from './purchase-body.js';
import { RecordedPanel } from './recorded-panel.js';
import {
  type Scenario,
  subscriptionsQuery,
  testProductsQuery,
  useTestPurchase,
} from './test-purchases.queries.js';

const scenarioLabels = {
  purchase: 'Purchase',
  trial: 'Trial started',
  trial_conversion: 'Trial converted to paid',
  renewal: 'Renewal',
  cancel: 'Cancellation, with access until the end of the period',
  uncancel: 'Renewal turned back on',
  billing_issue: 'Billing issue, with a grace period',
  billing_issue_no_grace: 'Billing issue, without a grace period',
  billing_recovery: 'Payment recovered',
  refund: 'Refund',
  refund_reversed: 'Refund reversed',
  product_change: 'Immediate product change',
  product_change_deferred: 'Product change at the next renewal',
  pause: 'Pause',
  extend: 'Extension',
  price_increase: 'Price increase',
  transfer: 'Restore by another customer',
  expire: 'Expiration',
} satisfies Record<Scenario, string>;

const route = getRouteApi('/signed-in/projects/$projectId/test/purchases');
const scenarios = (Object.keys(scenarioLabels) as Scenario[]).map((value) => ({
  value,
  label: scenarioLabels[value],
}));

const isNumber = (value: string) => value.trim() === '' || Number.isFinite(Number(value));
const isCount = (value: string) => /^\s*\d*\s*$/.test(value);

function problems(values: PurchaseFields) {
  const isNew = values.subscription_id === '';
  return {
    app_user_id: isNew && values.app_user_id === '' ? 'Enter an app user id.' : null,
    product_id: isNew && values.product_id === '' ? 'Choose a product.' : null,
    new_product_id:
      needsNewProduct(values.scenario) && values.new_product_id === '' ? 'Choose a product.' : null,
    transfer_to: needsReceiver(values.scenario) && values.transfer_to === '' ? 'Enter an app user id.' : null,
    price: isNumber(values.price) ? null : 'Enter a number.',
    offset_days: isCount(values.offset_days) ? null : 'Enter a whole number of days.',
  };
}

function PurchaseForm({
  projectId,
  products,
}: {
  projectId: string;
  products: { value: string; label: string }[];
}) {
  const { scenario = 'purchase' } = route.useSearch();
  const purchase = useTestPurchase(projectId);
  const may = useMay('createTestPurchase');
  const { formProps, field, problem, values } = useForm({
    initial: {
      scenario,
      app_user_id: '',
      product_id: products[0]?.value ?? '',
      subscription_id: '',
      new_product_id: '',
      transfer_to: '',
      price: '',
      currency: '',
      offset_days: '',
    },
    check: problems,
    write: purchase,
    onSubmit: (fields) => may.allowed && purchase.mutate(purchaseBody(fields)),
  });
  const subscriptions = useQuery({
    ...subscriptionsQuery(projectId, values.app_user_id),
    // Loaded only after a purchase, because the customer exists then.
    enabled: purchase.data !== undefined && purchase.data.customer.id === values.app_user_id,
  });
  const isNew = values.subscription_id === '';
  const existing = (subscriptions.data ?? []).map(({ id, product_id: product }) => ({
    value: id,
    label: `${id} (${products.find(({ value }) => value === product)?.label ?? product ?? ''})`,
  }));
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel>
        <form {...formProps} className="grid gap-4 sm:grid-cols-2">
          <SelectField
            className="sm:col-span-2"
            label="Scenario"
            options={scenarios}
            {...field('scenario')}
          />
          <TextField
            label="App user id"
            hint="Created if it does not exist yet."
            mono
            autoComplete="off"
            {...field('app_user_id')}
          />
          {existing.length > 0 && (
            <SelectField
              label="Subscription"
              hint="New: earlier steps are simulated too. Existing: continues from its state."
              placeholder="A new one"
              options={existing}
              {...field('subscription_id')}
            />
          )}
          {isNew && (
            <SelectField
              label="Product"
              placeholder="Choose a product"
              options={products}
              {...field('product_id')}
            />
          )}
          {needsNewProduct(values.scenario) && (
            <SelectField
              label="New product"
              placeholder="Choose a product"
              options={products}
              {...field('new_product_id')}
            />
          )}
          {needsReceiver(values.scenario) && (
            <TextField
              label="Restored by"
              hint="App user id of the customer who restores it."
              mono
              {...field('transfer_to')}
            />
          )}
          <NumberField
            label="Price"
            optional
            hint="Default: the test price of the product."
            {...field('price')}
          />
          <TextField label="Currency" optional maxLength={3} {...field('currency')} />
          {isNew && (
            <NumberField
              integer
              label="Days ago"
              optional
              hint="Backdates the purchase."
              {...field('offset_days')}
            />
          )}
          <div className="grid gap-4 sm:col-span-2">
            <FormError error={problem} />
            <FormActions>
              <Button type="submit" variant="primary" busy={purchase.isPending} disabledReason={may.reason}>
                Make the test purchase
              </Button>
              <ShowCall
                operation="POST /v2/projects/{project_id}/test_purchases"
                path={{ project_id: projectId }}
                body={purchaseBody(values)}
              />
            </FormActions>
          </div>
        </form>
      </Panel>
      {purchase.data && <RecordedPanel purchase={purchase.data} projectId={projectId} />}
    </div>
  );
}

export default function TestPurchasesPage() {
  const { projectId } = route.useParams();
  const products = useQuery(testProductsQuery(projectId));
  return (
    <Page
      title="Test purchases"
      note="Simulates store events. Nothing is charged, and everything is marked as sandbox."
    >
      <QueryPanel query={products} queryKey={testProductsQuery(projectId).queryKey}>
        {(found) =>
          found.length === 0 ? (
            <Panel>
              <EmptyState
                sentence="Test purchases need a product of a Test Store app."
                action={
                  <Link
                    to="/projects/$projectId/catalog/products"
                    params={{ projectId }}
                    className={buttonClass({ variant: 'primary' })}
                  >
                    Add a product
                  </Link>
                }
              />
            </Panel>
          ) : (
            <PurchaseForm
              projectId={projectId}
              products={found.map((product) => ({
                value: product.id,
                label: `${product.display_name ?? product.store_identifier} (${product.appName})`,
              }))}
            />
          )
        }
      </QueryPanel>
    </Page>
  );
}
