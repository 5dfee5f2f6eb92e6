import {
  attachEntitlementProducts,
  attachPackageProducts,
  createCustomer,
  createEntitlement,
  createOffering,
  createPackage,
  createProduct,
  createTestPurchase,
  createWebhookIntegration,
  deleteWebhookIntegration,
  getChart,
  getCustomer,
  getOverviewMetrics,
  grantEntitlement,
  listActiveEntitlements,
  listApps,
  listCustomerSubscriptions,
  listProducts,
  listSubscriptionTransactions,
  paginate,
  revokeGrantedEntitlement,
  sendWebhookTest,
  setCustomerAttributes,
  transferCustomer,
  type TenureClient,
  updateOffering,
} from '../dist/index.js';

/**
 * Calls as backends of the last release write them, each named like its operation. `node scripts/client.mjs --check`
 * compiles them, and an end-to-end test runs them against a server.
 */
export interface Project {
  client: TenureClient;
  project_id: string;
}

export async function runListApps({ client, project_id }: Project): Promise<string[]> {
  const { data } = await listApps({ client, path: { project_id } });
  return data.items.map((app) => app.id);
}

export async function runCreateProduct({ client, project_id }: Project, app_id: string): Promise<string> {
  const { data } = await createProduct({
    client,
    path: { project_id },
    body: {
      app_id,
      store_identifier: 'gold_monthly',
      type: 'subscription',
      display_name: 'Gold',
      subscription: { duration: 'P1M' },
      test_store_price: { amount_micros: 4_990_000, currency: 'USD' },
    },
  });
  return data.id;
}

export async function runListProducts({ client, project_id }: Project, app_id: string): Promise<string[]> {
  const { data } = await listProducts({
    client,
    path: { project_id },
    query: { app_id, limit: 100, expand: ['items.app'] },
  });
  return data.items.map(({ store_identifier }) => store_identifier);
}

export async function runPaginate({ client, project_id }: Project): Promise<string[]> {
  const names: string[] = [];
  const options = { client, path: { project_id }, query: { limit: 2 } };
  for await (const product of paginate(listProducts, options)) names.push(product.store_identifier);
  return names;
}

export async function runCreateEntitlement({ client, project_id }: Project): Promise<string> {
  const body = { lookup_key: 'gold', display_name: 'Gold' };
  const { data } = await createEntitlement({ client, path: { project_id }, body });
  return data.id;
}

export async function runAttachEntitlementProducts(
  { client, project_id }: Project,
  entitlement_id: string,
  product_ids: string[],
): Promise<string> {
  const path = { project_id, entitlement_id };
  const { data } = await attachEntitlementProducts({ client, path, body: { product_ids } });
  return data.lookup_key;
}

export async function runCreateOffering({ client, project_id }: Project): Promise<string> {
  const body = { lookup_key: 'spring', display_name: 'Spring', metadata: { color: 'green' } };
  const { data } = await createOffering({ client, path: { project_id }, body });
  return data.id;
}

export async function runCreatePackage(
  { client, project_id }: Project,
  offering_id: string,
): Promise<string> {
  const body = { lookup_key: '$rc_monthly', display_name: 'Monthly' };
  const { data } = await createPackage({ client, path: { project_id, offering_id }, body });
  return data.id;
}

export async function runAttachPackageProducts(
  { client, project_id }: Project,
  package_id: string,
  product_id: string,
): Promise<string> {
  const products = [{ product_id, eligibility_criteria: 'all' as const }];
  const path = { project_id, package_id };
  const { data } = await attachPackageProducts({ client, path, body: { products } });
  return data.id;
}

export async function runUpdateOffering(
  { client, project_id }: Project,
  offering_id: string,
): Promise<boolean> {
  const path = { project_id, offering_id };
  const { data } = await updateOffering({ client, path, body: { is_current: true } });
  return data.is_current;
}

export async function runCreateCustomer({ client, project_id }: Project, id: string): Promise<string> {
  const body = { id, attributes: [{ name: '$email', value: 'ada@example.com' }] };
  const { data } = await createCustomer({ client, path: { project_id }, body });
  return data.id;
}

export async function runSetCustomerAttributes(
  { client, project_id }: Project,
  customer_id: string,
): Promise<string[]> {
  const attributes = [{ name: 'plan', value: 'team' }];
  const path = { project_id, customer_id };
  const { data } = await setCustomerAttributes({ client, path, body: { attributes } });
  return data.items.map(({ name }) => name);
}

export async function runGetCustomer({ client, project_id }: Project, customer_id: string): Promise<number> {
  const { data } = await getCustomer({ client, path: { project_id, customer_id } });
  return data.first_seen_at;
}

export async function runGrantEntitlement(
  { client, project_id }: Project,
  customer_id: string,
  body: { entitlement_id: string; expires_at: number },
): Promise<string> {
  const { data } = await grantEntitlement({ client, path: { project_id, customer_id }, body });
  return data.id;
}

export async function runListActiveEntitlements(
  { client, project_id }: Project,
  customer_id: string,
): Promise<string[]> {
  const { data } = await listActiveEntitlements({ client, path: { project_id, customer_id } });
  return data.items.map(({ entitlement_id }) => entitlement_id);
}

export async function runRevokeGrantedEntitlement(
  { client, project_id }: Project,
  customer_id: string,
  entitlement_id: string,
): Promise<string> {
  const path = { project_id, customer_id };
  const { data } = await revokeGrantedEntitlement({ client, path, body: { entitlement_id } });
  return data.id;
}

export async function runCreateTestPurchase(
  { client, project_id }: Project,
  body: { app_user_id: string; product_id: string },
): Promise<string> {
  const { data } = await createTestPurchase({ client, path: { project_id }, body });
  return data.object;
}

export async function runListCustomerSubscriptions(
  { client, project_id }: Project,
  customer_id: string,
): Promise<{ id: string; status: string }[]> {
  const { data } = await listCustomerSubscriptions({ client, path: { project_id, customer_id } });
  return data.items.map(({ id, status }) => ({ id, status }));
}

export async function runListSubscriptionTransactions(
  { client, project_id }: Project,
  subscription_id: string,
): Promise<number> {
  const { data } = await listSubscriptionTransactions({ client, path: { project_id, subscription_id } });
  return data.items.length;
}

export async function runTransferCustomer(
  { client, project_id }: Project,
  customer_id: string,
  target_customer_id: string,
): Promise<string> {
  const path = { project_id, customer_id };
  const { data } = await transferCustomer({ client, path, body: { target_customer_id } });
  return data.target_customer.id;
}

export async function runCreateWebhookIntegration(
  { client, project_id }: Project,
  url: string,
): Promise<{ id: string; secret: string }> {
  const body = { name: 'Backend', url, event_types: ['test' as const] };
  const { data } = await createWebhookIntegration({ client, path: { project_id }, body });
  return { id: data.id, secret: data.signing_secret };
}

export async function runSendWebhookTest(
  { client, project_id }: Project,
  webhook_integration_id: string,
): Promise<string> {
  const { data } = await sendWebhookTest({ client, path: { project_id, webhook_integration_id } });
  return data.id;
}

export async function runDeleteWebhookIntegration(
  { client, project_id }: Project,
  webhook_integration_id: string,
): Promise<string> {
  const path = { project_id, webhook_integration_id };
  const { data } = await deleteWebhookIntegration({ client, path });
  return data.id;
}

export async function runGetChart({ client, project_id }: Project): Promise<string> {
  const path = { project_id, chart_name: 'revenue' as const };
  const query = { resolution: 'day' as const, start_date: '2026-01-01', end_date: '2026-01-02' };
  const { data } = await getChart({ client, path, query });
  return data.object;
}

export async function runGetOverviewMetrics({ client, project_id }: Project): Promise<string[]> {
  const { data } = await getOverviewMetrics({ client, path: { project_id } });
  return data.metrics.map(({ id }) => id);
}
