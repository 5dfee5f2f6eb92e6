const shown = ['paywall_revision', 'display_mode', 'dark_mode'];
const offered = ['placement_identifier', 'targeting_revision', 'targeting_rule_id'];
const paywall = [...shown, ...offered, 'source', 'workflow_id', 'step_id'];
const step = ['workflow_id', 'step_id', 'trace_id', 'is_first_step', 'is_last_step', 'experiment_id'];
const workflow = [...step, 'experiment_variant', 'from_step_id', 'to_step_id', 'entry_reason'];
const places = ['origin', 'destination', 'default', 'current', 'resulting'];
const component = [
  ...['component_type', 'component_name', 'component_value', 'component_url'],
  ...[
    'origin_index',
    'destination_index',
    'default_index',
    'origin_context_name',
    'destination_context_name',
  ],
  ...places.flatMap((place) => [`${place}_package_id`, `${place}_product_id`]),
];
const customerCenter = ['revision_id', 'display_mode', 'dark_mode'];

/** The keys that are stored from an event of each kind. Everything else an SDK sends is dropped. */
const storedKeys = new Map<string, readonly string[]>(
  Object.entries({
    paywall_impression: paywall,
    paywall_close: paywall,
    paywall_cancel: paywall,
    paywall_exit_offer: [...paywall, 'exit_offer_type', 'exit_offering_id'],
    paywall_purchase_initiated: [...paywall, 'package_id', 'product_id'],
    paywall_purchase_error: [...paywall, 'package_id', 'product_id', 'error_code', 'error_message'],
    paywall_component_interacted: [...paywall, ...component],
    custom_paywall_impression: offered,
    workflow_step_started: workflow,
    workflow_step_completed: workflow,
    workflow_close: workflow,
    customer_center_impression: customerCenter,
    customer_center_survey_option_chosen: [
      ...customerCenter,
      ...['path', 'survey_option_id', 'survey_option_title_key', 'additional_context'],
    ],
    checkpoint_hit: ['identifier', 'checkpoint_type', 'result', 'workflow_id', 'checkpoint_rule_id'],
  }),
);

const AD = /^rc_ads_ad_[a-z_]{1,40}$/;
const ad = [
  ...[
    'network_name',
    'mediator_name',
    'capture_method',
    'ad_format',
    'placement',
    'ad_unit_id',
    'impression_id',
  ],
  ...['revenue_micros', 'currency', 'precision', 'mediator_error_code'],
];

/** Null for a kind that is not stored, such as the checkout events of web SDKs. */
export function storedKeysOf(kind: string): readonly string[] | null {
  return storedKeys.get(kind) ?? (AD.test(kind) ? ad : null);
}

const essentialAds = new Set(['rc_ads_ad_revenue', 'rc_ads_ad_displayed']);

/** Whether a project that stores only essential events stores this one. */
export function isEssential(kind: string, componentType: unknown): boolean {
  if (AD.test(kind)) return essentialAds.has(kind);
  if (kind === 'paywall_component_interacted') return componentType === 'purchase_button';
  return !kind.startsWith('workflow_step_');
}

const impressions = new Set(['paywall_impression', 'custom_paywall_impression']);
const initiations = new Set(['paywall_cancel', 'paywall_purchase_initiated', 'paywall_purchase_error']);

/** How an event counts as a view of its paywall; null if it does not. */
export function viewOf(kind: string, componentType: unknown): 'seen' | 'initiated' | null {
  if (impressions.has(kind)) return 'seen';
  const isTouch = kind === 'paywall_component_interacted' && componentType === 'purchase_button';
  return isTouch || initiations.has(kind) ? 'initiated' : null;
}
