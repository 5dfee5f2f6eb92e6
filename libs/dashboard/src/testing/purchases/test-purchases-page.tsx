import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useFields } from '../../frame/forms/use-fields.js';
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
import { text } from './test-purchases.text.js';

const route = getRouteApi('/signed-in/projects/$projectId/test/purchases');
const scenarios = (Object.keys(text.scenarios) as Scenario[]).map((value) => ({
  value,
  label: text.scenarios[value],
}));

const isNumber = (value: string) => value.trim() === '' || Number.isFinite(Number(value));
const isCount = (value: string) => /^\s*\d*\s*$/.test(value);

function problems(values: PurchaseFields) {
  const isNew = values.subscription_id === '';
  return {
    app_user_id: isNew && values.app_user_id === '' ? text.buyerMissing : null,
    product_id: isNew && values.product_id === '' ? text.productMissing : null,
    new_product_id:
      needsNewProduct(values.scenario) && values.new_product_id === '' ? text.productMissing : null,
    transfer_to: needsReceiver(values.scenario) && values.transfer_to === '' ? text.buyerMissing : null,
    price: isNumber(values.price) ? null : text.priceWrong,
    offset_days: isCount(values.offset_days) ? null : text.daysWrong,
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
  const { form, field, problem, values } = useFields({
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
    error: purchase.error,
    busy: purchase.isPending,
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
        <form {...form} className="grid gap-4 sm:grid-cols-2">
          <SelectField
            className="sm:col-span-2"
            label={text.scenario}
            options={scenarios}
            {...field('scenario')}
          />
          <TextField
            label={text.buyer}
            hint={text.buyerHint}
            mono
            autoComplete="off"
            {...field('app_user_id')}
          />
          {existing.length > 0 && (
            <SelectField
              label={text.subscription}
              hint={text.subscriptionHint}
              placeholder={text.newSubscription}
              options={existing}
              {...field('subscription_id')}
            />
          )}
          {isNew && (
            <SelectField
              label={text.product}
              placeholder={text.choose}
              options={products}
              {...field('product_id')}
            />
          )}
          {needsNewProduct(values.scenario) && (
            <SelectField
              label={text.newProduct}
              placeholder={text.choose}
              options={products}
              {...field('new_product_id')}
            />
          )}
          {needsReceiver(values.scenario) && (
            <TextField label={text.transferTo} hint={text.transferToHint} mono {...field('transfer_to')} />
          )}
          <NumberField label={text.price} optional hint={text.priceHint} {...field('price')} />
          <TextField label={text.currency} optional maxLength={3} {...field('currency')} />
          {isNew && (
            <NumberField integer label={text.days} optional hint={text.daysHint} {...field('offset_days')} />
          )}
          <div className="grid gap-4 sm:col-span-2">
            <FormError error={problem} />
            <FormActions>
              <Button type="submit" variant="primary" busy={purchase.isPending} disabledReason={may.reason}>
                {text.submit}
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
    <Page title={text.title} note={text.note}>
      <QueryPanel query={products} queryKey={testProductsQuery(projectId).queryKey}>
        {(found) =>
          found.length === 0 ? (
            <Panel>
              <EmptyState
                sentence={text.noProducts}
                action={
                  <Link
                    to="/projects/$projectId/catalog/products"
                    params={{ projectId }}
                    className={buttonClass({ variant: 'primary' })}
                  >
                    {text.addProduct}
                  </Link>
                }
              />
            </Panel>
          ) : (
            <PurchaseForm
              projectId={projectId}
              products={found.map(({ id, store_identifier: name, appName }) => ({
                value: id,
                label: `${name} (${appName})`,
              }))}
            />
          )
        }
      </QueryPanel>
    </Page>
  );
}
