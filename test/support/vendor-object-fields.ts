import { isJsonObject } from '../../libs/kernel/index.js';
import { ownFields, vendorOperations } from '../../src/platform/http/bodies/vendor-fields.js';

/**
 * The fields of the vendor's objects, by `object`; a dot leads into an object or into each item of an array. An object
 * without inner fields here may hold anything.
 */
const published: Readonly<Record<string, string>> = {
  app: 'amazon amazon.package_name app_store app_store.bundle_id created_at id mac_app_store mac_app_store.bundle_id name paddle paddle.paddle_api_key paddle.paddle_is_sandbox play_store play_store.package_name project_id rc_billing rc_billing.app_name rc_billing.default_currency rc_billing.seller_company_name rc_billing.seller_company_support_email rc_billing.stripe_account_id rc_billing.support_email roku roku.roku_channel_id roku.roku_channel_name stripe stripe.stripe_account_id type',
  audit_log:
    'action_type actor_identifier actor_type additional_data id occurred_at project_id target_identifier target_type',
  authenticated_management_url: 'management_url',
  chart_data:
    'category description display_name display_type documentation_link end_date filtering_allowed last_computed_at measures resolution segmenting_allowed segments segments.display_name segments.id segments_limit start_date summary unsupported_params unsupported_params.filters unsupported_params.segment user_selectors values yaxis yaxis_currency',
  chart_options:
    'filters filters.display_name filters.group_display_name filters.id filters.options filters.options.display_name filters.options.id resolutions resolutions.display_name resolutions.id segments segments.display_name segments.group_display_name segments.id user_selectors',
  collaborator: 'accepted_at email has_mfa id name role',
  customer:
    'active_entitlements attributes experiment first_seen_at id last_seen_app_version last_seen_at last_seen_country last_seen_platform last_seen_platform_version project_id',
  'customer.active_entitlement': 'entitlement_id expires_at',
  'customer.alias': 'created_at id',
  'customer.attribute': 'name updated_at value',
  entitlement: 'created_at display_name id lookup_key products project_id',
  experiment_enrollment: 'id name variant',
  list: 'items items.eligibility_criteria items.product next_page url',
  offering: 'created_at display_name id is_current lookup_key metadata packages project_id',
  overview_metric: 'description id last_updated_at last_updated_at_iso8601 name period unit value',
  overview_metrics: 'metrics',
  package: 'created_at display_name id lookup_key position products',
  product:
    'app app_id created_at display_name id one_time one_time.is_consumable store_identifier subscription subscription.duration subscription.grace_period_duration subscription.trial_duration type',
  project: 'created_at icon_url icon_url_large id name',
  public_api_key: 'app_id created_at environment id key',
  purchase:
    'country customer_id entitlements environment id original_customer_id ownership presented_offering_id product_id purchased_at quantity revenue_in_usd revenue_in_usd.commission revenue_in_usd.currency revenue_in_usd.gross revenue_in_usd.proceeds revenue_in_usd.tax status store store_purchase_identifier',
  store_kit_config_file: 'contents',
  subscription:
    'auto_renewal_status country current_period_ends_at current_period_starts_at customer_id ends_at entitlements environment gives_access id management_url original_customer_id ownership pending_changes pending_changes.product pending_payment presented_offering_id product_id starts_at status store store_subscription_identifier total_revenue_in_usd total_revenue_in_usd.commission total_revenue_in_usd.currency total_revenue_in_usd.gross total_revenue_in_usd.proceeds total_revenue_in_usd.tax',
  subscription_transaction:
    'effective_expiration_date expiration_date id product_store_identifier purchased_at',
  virtual_currency: 'code created_at description name product_grants project_id',
  'virtual_currency.product_grant': 'amount expire_at_cycle_end product_ids trial_amount',
  virtual_currency_balance: 'balance currency_code description name',
  webhook_integration: 'app_id created_at environment event_types id name project_id url',
};

/** Fields that the vendor has added since. */
const later: Readonly<Record<string, string>> = {
  chart_data: 'annotations periods segments.chartable segments.is_other segments.is_total segments.tabulable',
  entitlement: 'state',
  offering: 'paywall_id state',
  product: 'state indicative_price',
  virtual_currency: 'state',
  webhook_integration: 'signing_secret',
};

const names = (text = ''): string[] => text.split(' ').filter((name) => name !== '');

const known = new Map(
  Object.entries(published).map(([object, text]) => {
    const ofVendor = [...names(text), ...names(later[object])];
    const all = [...ofVendor, ...(ownFields[object] ?? [])];
    // A deleted object of any kind has its id and `deleted_at`.
    return [
      object,
      { all: new Set(['object', 'id', 'deleted_at', ...all]), open: isOpen(ofVendor) },
    ] as const;
  }),
);

function isOpen(paths: readonly string[]): (path: string) => boolean {
  return (path) => !paths.some((other) => other.startsWith(`${path}.`));
}

const operations = [...vendorOperations].map(([pattern, methods]) => ({
  methods,
  path: new RegExp(`^${pattern.replaceAll(':', '[^/]+')}$`),
}));

/** Fields in a vendor's object that neither the vendor nor the list of our own fields has, one text each. */
export function undeclaredFields(method: string, url: string, status: number, body: unknown): string[] {
  const path = url.split('?')[0] ?? url;
  if (status >= 300 || !operations.some((one) => one.path.test(path) && one.methods.includes(method)))
    return [];
  return [...new Set(undeclaredIn(body))].map(
    (field) => `${method} ${path}: ${field} is not a field of the vendor`,
  );
}

function undeclaredIn(value: unknown, object = '', prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => undeclaredIn(item, object, prefix));
  if (!isJsonObject(value)) return [];
  // Objects that the vendor has published nothing about are named, too.
  const [name, start] = typeof value.object === 'string' ? [value.object, ''] : [object, prefix];
  const fields = known.get(name);
  return Object.entries(value).flatMap(([field, inner]) => {
    const path = start + field;
    if (fields && !fields.all.has(path)) return [`${name}.${path}`];
    // An embedded object of the vendor is checked wherever it is.
    const isFree = !fields || fields.open(path);
    return isFree ? embedded(inner) : undeclaredIn(inner, name, `${path}.`);
  });
}

function embedded(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(embedded);
  return isJsonObject(value) && typeof value.object === 'string' ? undeclaredIn(value) : [];
}
