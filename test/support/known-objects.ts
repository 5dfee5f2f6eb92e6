import { parseContainer } from '../peers/config-container.js';
import type { ApiClient, Json } from './api-client.js';
import type { TestStore } from './arrange-store.js';
import { font } from './fonts.js';

/** Values of the parameters in paths of the OpenAPI document that lead to something of a project. */
export type KnownObjects = Readonly<Record<string, string>>;

async function expectOk(call: ReturnType<ApiClient['post']>): Promise<Json> {
  const { status, text, body } = await call;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body;
}

/** One of everything that paths lead to; `atMs` is now. */
export async function arrangeKnownObjects(
  { backend, session, sdk, publicKey, path, projectId, appId, products, entitlements, offering }: TestStore,
  atMs: number,
): Promise<KnownObjects> {
  const post = (route: string, body: object): Promise<Json> =>
    expectOk(backend.post(`${path}${route}`, body));
  const first = async (route: string): Promise<Json> =>
    (await expectOk(backend.get(`${path}${route}`))).items[0];
  const webhook = await post('/integrations/webhooks', { name: 'All', url: 'http://127.0.0.1:9/hook' });
  const destination = await post('/integrations/destinations', {
    type: 'http',
    settings: { url: 'http://127.0.0.1:9/hook', headers: { authorization: 'Bearer 0123456789' } },
  });
  for (const product of ['pro_monthly', 'coins_100']) {
    const body = { app_user_id: 'ada', fetch_token: `test_${atMs}_${product}`, product_id: product };
    await expectOk(sdk.post('/v1/receipts', body));
  }
  await post('/blocked_customers', { app_user_id: 'mallory' });
  await post('/virtual_currencies', { code: 'GLD', name: 'Gold' });
  const clock = await post('/test_clocks', { name: 'A year', frozen_time: atMs });
  const provider = await post('/auth/providers', { kind: 'firebase', firebase_project_id: 'shop-4711' });
  const newInvite = { email: 'grace@example.com', role: 'viewer' };
  const invite = await expectOk(session.post(`${path}/invites`, newInvite));
  const member = await first('/collaborators');
  const subscription = await first('/customers/ada/subscriptions');
  const purchase = await first('/customers/ada/purchases');
  const transaction = await first(`/subscriptions/${subscription.id}/transactions`);
  const bundle = await first(`/offerings/${offering.id}/packages`);
  const key = await first('/api_keys');
  const delivery = await first(`/webhooks/${webhook.id}/deliveries`);
  const destinationPath = `/integrations/destinations/${destination.id}`;
  const destinationDelivery = await first(`${destinationPath}/deliveries`);
  const destinationReplay = await post(`${destinationPath}/actions/replay`, { from: 0, to: 1 });
  const event = await first('/events');
  const entry = await first('/audit_logs');
  const other = await post('/offerings', { lookup_key: 'other', display_name: 'Other' });
  const rule = await post('/targeting_rules', {
    display_name: 'Off',
    offering_id: other.id,
    state: 'inactive',
  });
  // No customer joins it.
  const experiment = await post('/experiments', {
    display_name: 'Two offerings',
    offering_a_id: offering.id,
    offering_b_id: other.id,
    targeting_conditions: [{ field: 'country', operator: 'in', value: ['AQ'] }],
  });
  await post(`/experiments/${experiment.id}/actions/start`, {});
  const paywall = await post('/paywalls', { offering_id: offering.id, template_id: 'simple' });
  await post(`/paywalls/${paywall.id}/actions/publish`, {});
  const asset = await post('/media_assets', {
    filename: 'a.ttf',
    content_type: 'font/ttf',
    file_data_base64: font([{ platform: 3, id: 6, text: 'A' }]).toString('base64'),
  });
  const config = await fetch(`${sdk.baseUrl}/v1/config/app`, {
    method: 'POST',
    headers: { authorization: `Bearer ${publicKey}` },
  });
  const [, blob] = parseContainer(Buffer.from(await config.arrayBuffer()));
  const note = await post('/customers/ada/notes', { text: 'Called on Monday' });
  const chartNote = await post('/chart_notes', { date: '2026-03-01', text: 'Prices raised' });
  const savedChart = await post('/saved_charts', { display_name: 'Revenue', chart_name: 'revenue' });
  const digest = await post('/digests', { name: 'Figures', emails: [member.id], period: 'daily' });
  const sqlUser = await post('/sql_users', { name: 'Metabase' });
  const exportDestination = await post('/integrations/exports/destinations', {
    name: 'Bucket',
    kind: 's3',
    s3: { bucket: 'acme', access_key_id: 'key', secret_access_key: 'secret' },
  });
  const scheduledExport = await post('/integrations/exports', {
    name: 'Every hour',
    destination_id: exportDestination.id,
    datasets: [{ name: 'transactions', version: 5 }],
    format: 'csv',
    schedule: { frequency: 'hourly' },
  });
  const run = await post(`/integrations/exports/${scheduledExport.id}/actions/run`, {});
  const policy = await post('/refund_policies', { display_name: 'Cheap', preference: 'decline' });
  const customerList = await post('/customer_lists', {
    display_name: 'Trials',
    filters: { status: 'trial' },
  });
  const customerListExport = await post('/customer_list_exports', { filters: {} });
  const token = await expectOk(sdk.post('/v1/external_purchase_tokens', { app_user_id: 'ada' }));
  const replay = await post(`/webhooks/${webhook.id}/actions/replay`, { from: 0, to: 1 });
  return {
    project_id: projectId,
    app_id: appId,
    app_user_id: 'mallory',
    external_purchase_token_id: token.id,
    audit_log_id: entry.id,
    currency: 'USD',
    customer_id: 'ada',
    customer_list_export_id: customerListExport.id,
    customer_list_id: customerList.id,
    entitlement_id: entitlements.pro.id,
    invite_id: invite.id,
    key_id: key.id,
    note_id: note.id,
    offering_id: offering.id,
    paywall_id: paywall.id,
    media_asset_id: asset.id,
    blob_ref: blob?.ref ?? '',
    provider_id: provider.id,
    package_id: bundle.id,
    product_id: products.monthly.id,
    subject: 'ada',
    subscription_id: subscription.id,
    purchase_id: purchase.id,
    transaction_id: transaction.id,
    webhook_integration_id: webhook.id,
    destination_id: destination.id,
    destination_delivery_id: destinationDelivery.id,
    destination_replay_id: destinationReplay.id,
    delivery_id: delivery.id,
    replay_id: replay.id,
    event_id: event.id,
    experiment_id: experiment.id,
    policy_id: policy.id,
    rule_id: rule.id,
    experiment_offering_id: other.id,
    test_clock_id: clock.id,
    user_id: member.id,
    virtual_currency_code: 'GLD',
    chart_name: 'revenue',
    chart_note_id: chartNote.id,
    saved_chart_id: savedChart.id,
    digest_id: digest.id,
    sql_user_id: sqlUser.id,
    export_destination_id: exportDestination.id,
    export_id: scheduledExport.id,
    run_id: run.id,
  };
}
