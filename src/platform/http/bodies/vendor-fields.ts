import { isJsonObject } from '../../../../libs/kernel/index.js';

/**
 * Requests responses without our own fields: some generated clients reject fields missing from the vendor's schemas.
 */
const HEADER = 'x-service-fields';
const WITHOUT_OWN = 'vendor';

/**
 * Our fields in the vendor's objects, by `object`. A dot leads into an object or into each item of an array. Fields
 * that the vendor has since added itself are always sent.
 */
export const ownFields: Readonly<Record<string, readonly string[]>> = {
  customer: ['test_clock_id'],
  app: [
    'custom_url_scheme',
    'test_store',
    'app_store.app_store_connect_api_key_configured',
    'app_store.subscription_key_configured',
    'app_store.app_store_connect_vendor_number',
    'play_store.play_service_account_credentials_configured',
    'stripe.require_secret_key_for_receipts',
    'paddle.app_user_id_source',
    'paddle.app_user_id_custom_data_key',
    'paddle.require_secret_key_for_receipts',
  ],
  product: ['active_subscriptions'],
  subscription: ['presented_placement_id', 'applied_targeting_rule', 'items', 'seats', 'bundle'],
  purchase: ['presented_placement_id', 'applied_targeting_rule'],
  subscription_transaction: [
    'revenue_in_local_currency',
    'revenue_in_usd',
    'refunded_at',
    'amount_in_currency',
  ],
  webhook_integration: ['ordered', 'include_customer_info'],
  overview_metrics: ['currency'],
  paywall: [
    'project_id',
    'automatically_scale_font_size',
    'has_draft',
    'problems',
    'components.draft.exit_offers',
    'components.draft.state_declarations',
    'components.draft.play_store_product_change_mode',
    'components.published.exit_offers',
    'components.published.state_declarations',
    'components.published.play_store_product_change_mode',
  ],
  chart_data: ['averaged_over', 'measures.id'],
};

const READ = ['GET'];
const LISTED = ['GET', 'POST'];
const WHOLE = ['GET', 'POST', 'DELETE'];
const DONE = ['POST'];

/** The vendor's project operations that this server implements. Each `*` is an id or a name. */
const projectOperations: Readonly<Record<string, readonly string[]>> = {
  apps: LISTED,
  'apps/*': WHOLE,
  'apps/*/public_api_keys': READ,
  'apps/*/store_kit_config': READ,
  audit_logs: READ,
  'charts/*': READ,
  'charts/*/options': READ,
  collaborators: READ,
  customers: LISTED,
  'customers/blocked_customers': READ,
  'customers/blocked_customers/*': ['POST', 'DELETE'],
  'customers/*': ['GET', 'DELETE'],
  'customers/*/actions/assign_offering': DONE,
  'customers/*/actions/grant_entitlement': DONE,
  'customers/*/actions/restore_purchase_by_order_id': DONE,
  'customers/*/actions/revoke_granted_entitlement': DONE,
  'customers/*/actions/transfer': DONE,
  'customers/*/active_entitlements': READ,
  'customers/*/aliases': READ,
  'customers/*/attributes': LISTED,
  'customers/*/events': READ,
  'customers/*/invoices': READ,
  'customers/*/invoices/*/file': READ,
  'customers/*/purchases': READ,
  'customers/*/subscriptions': READ,
  'customers/*/virtual_currencies': READ,
  'customers/*/virtual_currencies/transactions': DONE,
  'customers/*/virtual_currencies/update_balance': DONE,
  entitlements: LISTED,
  'entitlements/*': WHOLE,
  'entitlements/*/actions/archive': DONE,
  'entitlements/*/actions/attach_products': DONE,
  'entitlements/*/actions/detach_products': DONE,
  'entitlements/*/actions/unarchive': DONE,
  'entitlements/*/products': READ,
  experiments: LISTED,
  'experiments/*': WHOLE,
  'experiments/*/actions/pause': DONE,
  'experiments/*/actions/resume': DONE,
  'experiments/*/actions/start': DONE,
  'experiments/*/actions/stop': DONE,
  'experiments/*/results': READ,
  'experiments/priority_list': ['PUT'],
  'integrations/webhooks': LISTED,
  'integrations/webhooks/*': WHOLE,
  'metrics/overview': READ,
  'metrics/revenue': READ,
  offerings: LISTED,
  'offerings/*': WHOLE,
  'offerings/*/actions/archive': DONE,
  'offerings/*/actions/unarchive': DONE,
  'offerings/*/packages': LISTED,
  'packages/*': WHOLE,
  'packages/*/actions/attach_products': DONE,
  'packages/*/actions/detach_products': DONE,
  'packages/*/products': READ,
  media_assets: LISTED,
  paywalls: LISTED,
  'paywalls/*': ['GET', 'PATCH', 'DELETE'],
  'paywalls/*/actions/publish': DONE,
  'paywalls/*/actions/unpublish': DONE,
  'paywalls/*/versions': READ,
  products: LISTED,
  'products/*': WHOLE,
  'products/*/actions/archive': DONE,
  'products/*/actions/unarchive': DONE,
  'products/*/create_in_store': DONE,
  'products/*/prices': READ,
  'products/*/prices/*': ['PATCH'],
  'products/*/test_store_prices': LISTED,
  purchases: READ,
  'purchases/*': READ,
  'purchases/*/actions/refund': DONE,
  'purchases/*/entitlements': READ,
  subscriptions: READ,
  'subscriptions/*': READ,
  'subscriptions/*/actions/cancel': DONE,
  'subscriptions/*/actions/extend': DONE,
  'subscriptions/*/actions/refund': DONE,
  'subscriptions/*/authenticated_management_url': READ,
  'subscriptions/*/entitlements': READ,
  'subscriptions/*/transactions': READ,
  'subscriptions/*/transactions/*/actions/refund': DONE,
  targeting_rules: LISTED,
  'targeting_rules/*': WHOLE,
  virtual_currencies: LISTED,
  'virtual_currencies/*': WHOLE,
  'virtual_currencies/*/actions/archive': DONE,
  'virtual_currencies/*/actions/unarchive': DONE,
};

/** Patterns in Express's notation, with `:` for each parameter, and their methods. */
export const vendorOperations: ReadonlyMap<string, readonly string[]> = new Map([
  ['/v2/projects', LISTED],
  ...Object.entries(projectOperations).map(
    ([path, methods]) => [`/v2/projects/:/${path.replaceAll('*', ':')}`, methods] as const,
  ),
]);

interface Asked {
  method: string;
  headers: Readonly<Record<string, unknown>>;
  route?: { path?: unknown };
}

/** Whether the operation exists in the vendor's API, so that the header applies to it. */
export function isVendorOperation({ method, route }: Asked): boolean {
  if (typeof route?.path !== 'string') return false;
  const pattern = route.path.replaceAll(/:[a-z_]+/g, ':');
  return vendorOperations.get(pattern)?.includes(method === 'HEAD' ? 'GET' : method) ?? false;
}

/** Returns the response with the requested fields. Other values of the header are ignored. */
export function answerFor({ headers }: Asked, body: unknown): unknown {
  return headers[HEADER] === WITHOUT_OWN ? withoutOwnFields(body) : body;
}

export function withoutOwnFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwnFields);
  if (!isJsonObject(value)) return value;
  const left = without(value, typeof value.object === 'string' ? (ownFields[value.object] ?? []) : []);
  return Object.fromEntries(Object.entries(left).map(([name, inner]) => [name, withoutOwnFields(inner)]));
}

/** Returns a copy without the fields at these paths. */
function without(value: Record<string, unknown>, paths: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(value).filter(([name]) => !paths.includes(name));
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      const deeper = paths
        .filter((path) => path.startsWith(`${name}.`))
        .map((path) => path.slice(name.length + 1));
      if (deeper.length === 0) return [name, inner];
      const left = (item: unknown): unknown => (isJsonObject(item) ? without(item, deeper) : item);
      return [name, Array.isArray(inner) ? inner.map(left) : left(inner)];
    }),
  );
}
