import type { Json } from './api-client.js';

const USER = 'form_user';
const SESSION = '315107f4-98bf-4b68-a582-eb27bcb6e111';

/** An event as an SDK sends it, and the row that the server stores. */
export interface EventForm {
  sdk: 'iOS' | 'Android' | 'web' | 'the app itself';
  event: Json;
  row: { kind: string; data: Json } & Partial<Record<'paywall_id' | 'offering_id' | 'locale', string>>;
  /** The event's session; null if it has none. */
  session: string | null;
}

const look = { paywall_revision: 3, display_mode: 'full_screen', dark_mode: false };
const ofPaywall = { app_user_id: USER, version: 1, session_id: SESSION, offering_id: 'default', ...look };
const placement = { placement_identifier: 'onboarding', targeting_revision: 4, targeting_rule_id: 'rule1' };
const ofAd = {
  network_name: 'Google AdMob',
  mediator_name: 'AdMob',
  ad_format: 'rewarded',
  placement: 'level_end',
  ad_unit_id: 'ca-app-pub-1',
  impression_id: 'imp1',
};
const device = {
  os: 'x',
  user_agent: 'Mozilla',
  screen_width: 900,
  time_zone: 'Europe/Berlin',
  locale: 'de-DE',
};
const trace = '9a0e36b1-8d2f-45ad-94ab-5a2a8b6f13a0';
const mobileWorkflow = (name: string, properties: Json): Json => ({
  type: 'workflows',
  event_name: name,
  version: 1,
  app_user_id: USER,
  context: { locale: 'fr_FR' },
  properties,
});
const webWorkflow = (name: string, properties: Json): Json => ({
  type: 'web_billing',
  event_name: name,
  app_user_id: USER,
  context: device,
  properties: { ...properties, trace_id: trace },
});

function ios(type: string, more: Json = {}): Json {
  return { ...ofPaywall, type, locale: 'en_US', paywall_id: 'pwios', ...more };
}

function android(discriminator: string, type: string, more: Json = {}): Json {
  return { discriminator, ...ofPaywall, type, locale: 'es_ES', ...more };
}

function web(type: string, more: Json = {}): Json {
  const sender = { app_user_id: USER, version: 1, session_id: SESSION, offering_id: 'default' };
  return { ...sender, paywall_revision: 0, type, paywall_rc_public_id: 'pwweb', ...more };
}

function ad(type: string, more: Json = {}): Json {
  return { type, version: 1, app_user_id: USER, app_session_id: SESSION, ...ofAd, ...more };
}

const center = {
  app_user_id: USER,
  revision_id: 1,
  dark_mode: true,
  display_mode: 'full_screen',
  locale: 'es_ES',
};
const centerData = { revision_id: 1, dark_mode: true, display_mode: 'full_screen' };
const survey = { path: 'CANCEL', survey_option_id: 'too_expensive', survey_option_title_key: 'expensive' };
const onIos = { paywall_id: 'pwios', offering_id: 'default', locale: 'en_US' };
const onAndroid = { offering_id: 'default', locale: 'es_ES' };
const onWeb = { paywall_id: 'pwweb', offering_id: 'default' };
const touched = { component_type: 'package', component_name: 'Annual', component_value: 'annual' };
const moved = { origin_package_id: '$rc_monthly', destination_package_id: '$rc_annual', origin_index: 0 };

const paywallForms: Omit<EventForm, 'session'>[] = [
  { sdk: 'iOS', event: ios('paywall_impression'), row: { kind: 'paywall_impression', ...onIos, data: look } },
  { sdk: 'iOS', event: ios('paywall_cancel'), row: { kind: 'paywall_cancel', ...onIos, data: look } },
  { sdk: 'iOS', event: ios('paywall_close'), row: { kind: 'paywall_close', ...onIos, data: look } },
  {
    sdk: 'iOS',
    event: ios('paywall_exit_offer', { exit_offer_type: 'dismiss', exit_offering_id: 'sale' }),
    row: {
      kind: 'paywall_exit_offer',
      ...onIos,
      data: { ...look, exit_offer_type: 'dismiss', exit_offering_id: 'sale' },
    },
  },
  {
    sdk: 'iOS',
    event: ios('paywall_purchase_initiated', { package_id: '$rc_annual', product_id: 'yearly' }),
    row: {
      kind: 'paywall_purchase_initiated',
      ...onIos,
      data: { ...look, package_id: '$rc_annual', product_id: 'yearly' },
    },
  },
  {
    sdk: 'iOS',
    event: ios('paywall_purchase_error', { error_code: 2, error_message: 'The store is busy.' }),
    row: {
      kind: 'paywall_purchase_error',
      ...onIos,
      data: { ...look, error_code: 2, error_message: 'The store is busy.' },
    },
  },
  {
    sdk: 'iOS',
    event: ios('paywall_component_interacted', { ...touched, ...moved }),
    row: { kind: 'paywall_component_interacted', ...onIos, data: { ...look, ...touched, ...moved } },
  },
  {
    sdk: 'iOS',
    event: ios('paywall_impression', {
      paywall_id: null,
      workflow_id: 'wfpwflow',
      presented_offering_context: placement,
    }),
    row: {
      kind: 'paywall_impression',
      ...onIos,
      paywall_id: 'pwflow',
      data: { ...look, ...placement, workflow_id: 'wfpwflow' },
    },
  },
  {
    sdk: 'Android',
    event: android('paywalls', 'paywall_impression'),
    row: { kind: 'paywall_impression', ...onAndroid, data: look },
  },
  {
    sdk: 'Android',
    event: android('paywalls', 'paywall_close', { paywall_id: 'pwandroid' }),
    row: { kind: 'paywall_close', ...onAndroid, paywall_id: 'pwandroid', data: look },
  },
  {
    sdk: 'web',
    event: web('paywall_impression', { display_mode: 'full_screen', dark_mode: true, locale: 'de-DE' }),
    row: {
      kind: 'paywall_impression',
      ...onWeb,
      locale: 'de_DE',
      data: { paywall_revision: 0, display_mode: 'full_screen', dark_mode: true },
    },
  },
  {
    sdk: 'web',
    event: web('paywall_cancel', { presented_offering_context: placement }),
    row: { kind: 'paywall_cancel', ...onWeb, data: { paywall_revision: 0, ...placement } },
  },
  {
    sdk: 'web',
    event: web('paywall_close'),
    row: { kind: 'paywall_close', ...onWeb, data: { paywall_revision: 0 } },
  },
  {
    sdk: 'web',
    event: web('paywall_component_interacted', {
      component_type: 'purchase_button',
      current_product_id: 'yearly',
    }),
    row: {
      kind: 'paywall_component_interacted',
      ...onWeb,
      data: { paywall_revision: 0, component_type: 'purchase_button', current_product_id: 'yearly' },
    },
  },
];

const otherForms: EventForm[] = [
  {
    sdk: 'the app itself',
    event: { type: 'paywall_impression', app_user_id: USER, offering_id: 'default' },
    row: { kind: 'paywall_impression', offering_id: 'default', data: {} },
    session: null,
  },
  {
    sdk: 'iOS',
    event: {
      type: 'custom_paywall_impression',
      version: 1,
      app_user_id: USER,
      app_session_id: SESSION,
      paywall_id: 'own',
      offering_id: 'default',
      presented_offering_context: placement,
    },
    row: { kind: 'custom_paywall_impression', paywall_id: 'own', offering_id: 'default', data: placement },
    session: SESSION,
  },
  {
    sdk: 'web',
    event: { type: 'custom_paywall_impression', version: 1, app_user_id: USER, paywall_id: 'own' },
    row: { kind: 'custom_paywall_impression', paywall_id: 'own', data: {} },
    session: null,
  },
  {
    sdk: 'iOS',
    event: mobileWorkflow('workflow_step_started', {
      workflow_id: 'wfpw1',
      step_id: 'main',
      is_first_step: true,
    }),
    row: {
      kind: 'workflow_step_started',
      paywall_id: 'pw1',
      locale: 'fr_FR',
      data: { workflow_id: 'wfpw1', step_id: 'main', is_first_step: true },
    },
    session: null,
  },
  {
    sdk: 'Android',
    event: {
      discriminator: 'workflows',
      ...mobileWorkflow('workflow_close', { workflow_id: 'wfpw1', step_id: 'main' }),
    },
    row: {
      kind: 'workflow_close',
      paywall_id: 'pw1',
      locale: 'fr_FR',
      data: { workflow_id: 'wfpw1', step_id: 'main' },
    },
    session: null,
  },
  {
    sdk: 'web',
    event: webWorkflow('workflow_step_completed', { workflow_id: 'wfpw1', step_id: 'a', to_step_id: 'b' }),
    row: {
      kind: 'workflow_step_completed',
      paywall_id: 'pw1',
      locale: 'de_DE',
      data: { workflow_id: 'wfpw1', step_id: 'a', to_step_id: 'b', trace_id: trace },
    },
    session: null,
  },
  {
    sdk: 'iOS',
    event: { type: 'customer_center_impression', app_session_id: SESSION, is_sandbox: false, ...center },
    row: { kind: 'customer_center_impression', locale: 'es_ES', data: centerData },
    session: SESSION,
  },
  {
    sdk: 'Android',
    event: {
      discriminator: 'customer_center',
      type: 'customer_center_survey_option_chosen',
      app_session_id: SESSION,
      ...center,
      ...survey,
      url: 'https://example.com/private?name=Ada',
      additional_context: 'Too expensive for me',
    },
    row: {
      kind: 'customer_center_survey_option_chosen',
      locale: 'es_ES',
      data: { ...centerData, ...survey, additional_context: 'Too expensive for me' },
    },
    session: SESSION,
  },
  {
    sdk: 'iOS',
    event: ad('rc_ads_ad_revenue', { revenue_micros: 1_500, currency: 'USD', precision: 'exact' }),
    row: {
      kind: 'rc_ads_ad_revenue',
      data: { ...ofAd, revenue_micros: 1_500, currency: 'USD', precision: 'exact' },
    },
    session: SESSION,
  },
  {
    sdk: 'Android',
    event: { discriminator: 'ad', ...ad('rc_ads_ad_failed_to_load', { mediator_error_code: 3 }) },
    row: { kind: 'rc_ads_ad_failed_to_load', data: { ...ofAd, mediator_error_code: 3 } },
    session: SESSION,
  },
  {
    sdk: 'iOS',
    event: {
      type: 'checkpoint_hit',
      version: 1,
      identifier: 'onboarding_complete',
      checkpoint_type: 'custom',
      app_user_id: USER,
      app_session_id: SESSION,
      result: 'present_ui',
      workflow_id: 'wfpw1',
      offering_id: 'default',
    },
    row: {
      kind: 'checkpoint_hit',
      paywall_id: 'pw1',
      offering_id: 'default',
      data: {
        identifier: 'onboarding_complete',
        checkpoint_type: 'custom',
        result: 'present_ui',
        workflow_id: 'wfpw1',
      },
    },
    session: SESSION,
  },
];

/** Every form of every SDK. Ads, workflows and web SDKs send their time as `timestamp_ms`. */
export const eventForms: readonly EventForm[] = [
  ...paywallForms.map((form) => ({ ...form, session: SESSION })),
  ...otherForms,
];

export const sendsTimestampMs = ({ event }: EventForm): boolean =>
  /^(rc_ads_|workflows$|web_billing$)/.test(event.type as string);
