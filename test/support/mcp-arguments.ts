import type { Json } from './api-client.js';

/** Objects of one project, by the argument that names them. */
export interface McpObjects {
  customer: string;
  app: string;
  product: string;
  entitlement: string;
  offering: string;
  package: string;
  paywall: string;
  subscription: string;
  purchase: string;
  refundRequest: string;
  webhook: string;
  destination: string;
  export: string;
  delivery: string;
}

/** Valid arguments of every tool, for a project with these objects. A new tool needs a line here. */
export function mcpArguments(of: McpObjects): Record<string, Json> {
  const customer = { customer_id: of.customer };
  const app = { app_id: of.app };
  const entitlement = { entitlement_id: of.entitlement };
  const paywall = { paywall_id: of.paywall };
  const webhook = { webhook_id: of.webhook };
  const destination = { destination_id: of.destination };
  const subscription = { subscription_id: of.subscription };
  return {
    get_project: {},
    list_apps: {},
    get_app: app,
    create_app: { name: 'New app', type: 'test_store' },
    update_app: { ...app, name: 'Renamed' },
    list_public_api_keys: app,
    get_app_store_settings: app,
    verify_store_credentials: app,
    list_products: app,
    create_product: { ...app, store_identifier: 'new_product', type: 'subscription', duration: 'P1M' },
    compare_store_products: app,
    import_store_products: { ...app, store_identifiers: ['new_product'] },
    archive_product: { product_id: of.product },
    unarchive_product: { product_id: of.product },
    list_entitlements: {},
    get_entitlement: entitlement,
    create_entitlement: { lookup_key: 'new_entitlement', display_name: 'New' },
    update_entitlement: { ...entitlement, display_name: 'Renamed' },
    get_products_from_entitlement: entitlement,
    attach_products_to_entitlement: { ...entitlement, product_ids: [of.product] },
    detach_products_from_entitlement: { ...entitlement, product_ids: [of.product] },
    list_offerings: {},
    create_offering: { lookup_key: 'new_offering', display_name: 'New', metadata: { a: [1] } },
    update_offering: { offering_id: of.offering, display_name: 'Renamed' },
    list_packages: { offering_id: of.offering },
    create_package: { offering_id: of.offering, lookup_key: 'new_package', display_name: 'New' },
    attach_products_to_package: { package_id: of.package, products: [{ product_id: of.product }] },
    detach_products_from_package: { package_id: of.package, product_ids: [of.product] },
    list_paywalls: { offering_id: of.offering },
    get_paywall: paywall,
    list_paywall_templates: {},
    get_paywall_schema: { definition: 'text' },
    get_paywall_settings: {},
    list_media_assets: {},
    create_paywall: { offering_id: of.offering, template_id: 'simple' },
    update_paywall: { ...paywall, revision: 1, name: 'Renamed' },
    publish_paywall: paywall,
    unpublish_paywall: paywall,
    list_customers: { search: of.customer },
    get_customer: customer,
    explain_customer_access: customer,
    list_customer_events: customer,
    list_customer_notes: customer,
    add_customer_note: { ...customer, text: 'Called on Monday' },
    create_customer: { customer_id: 'new-customer', attributes: [{ name: 'city', value: 'Ulm' }] },
    set_customer_attributes: { ...customer, attributes: [{ name: 'city', value: 'Bonn' }] },
    grant_entitlement: { ...customer, ...entitlement, expires_at: '30d' },
    revoke_granted_entitlement: { ...customer, ...entitlement },
    assign_offering: { ...customer, offering_id: of.offering },
    transfer_purchases: { ...customer, target_customer_id: 'receiver' },
    delete_customer: { ...customer, confirm: of.customer },
    get_subscription: subscription,
    list_subscription_transactions: subscription,
    find_purchase: { store_identifier: 'unknown-transaction' },
    cancel_subscription: subscription,
    extend_subscription: { ...subscription, days: 3 },
    refund_subscription: subscription,
    refund_purchase: { purchase_id: of.purchase },
    list_refund_requests: { answer_status: 'waiting' },
    get_refund_request: { refund_request_id: of.refundRequest },
    answer_refund_request: { refund_request_id: of.refundRequest, preference: 'decline', note: 'Played on' },
    preview_refund_policies: { policies: [{ display_name: 'All', preference: 'decline' }], days: 30 },
    list_virtual_currency_balances: customer,
    adjust_virtual_currency: { ...customer, code: 'GLD', amount: 5, reference: 'gift' },
    get_overview_metrics: {},
    get_metric_history: { metric: 'revenue', days: 7 },
    list_events: { customer: of.customer },
    list_transactions: { customer: of.customer },
    get_setup_health: {},
    get_import_status: {},
    list_webhooks: {},
    create_webhook: { name: 'New', url: 'http://127.0.0.1:9/new' },
    update_webhook: { ...webhook, name: 'Renamed' },
    delete_webhook: webhook,
    list_webhook_deliveries: { ...webhook, status: 'pending' },
    retry_webhook_delivery: { ...webhook, delivery_id: of.delivery },
    send_test_webhook: webhook,
    list_destinations: {},
    get_destination: destination,
    list_destination_deliveries: destination,
    list_exports: {},
    get_export: { export_id: of.export },
    list_export_runs: { export_id: of.export },
    pause_destination: destination,
    resume_destination: destination,
    replay_destination_events: { ...destination, from: 1_700_000_000_000, to: 1_700_000_000_001 },
    create_test_purchase: { app_user_id: 'test-buyer', product_id: of.product },
    list_audit_logs: { start_date: '2026-01-01' },
  };
}
