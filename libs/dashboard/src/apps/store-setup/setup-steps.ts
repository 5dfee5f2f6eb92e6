import type { SetupFacts, SetupStep, StepId, StepState } from './setup-step.model.js';
import type { App } from '../apps.queries.js';
import type { FieldName } from './setup-fields.js';

export type { SetupFacts, SetupStep, StepId } from './setup-step.model.js';

const step = (id: StepId, state: StepState, more: Partial<SetupStep> = {}): SetupStep => ({
  id,
  state,
  isOptional: false,
  detail: null,
  fields: {},
  isChecked: false,
  isCredential: false,
  ...more,
});

const saved = (isSaved: boolean): StepState => ({ kind: isSaved ? 'saved' : 'todo' });

/** A credential that the store can check. */
function credential(isSet: boolean, { check, health }: SetupFacts): StepState {
  if (!isSet) return { kind: 'todo' };
  const error = health?.credentials_error;
  if (check && (!error || check.checked_at > error.since)) {
    if (check.status === 'valid') return { kind: 'verified', atMs: check.checked_at };
    if (check.status === 'invalid') return { kind: 'failed', atMs: check.checked_at, words: check.message };
  }
  return error ? { kind: 'failed', atMs: error.since, words: error.message } : { kind: 'saved' };
}

function received({ settings }: SetupFacts): StepState {
  const { notification_status: status, last_notification_received_at: at } = settings;
  const atMs = at ?? undefined;
  if (status === 'waiting') return { kind: 'waiting' };
  if (status === 'unsigned') return at === null ? { kind: 'waiting' } : { kind: 'verified', atMs };
  if (status === 'failing') return { kind: 'failed', atMs, words: settings.last_notification_error?.message };
  return { kind: 'verified', atMs };
}

const address = (id: StepId, { settings }: SetupFacts, copy: SetupStep['copy'] = 'address') =>
  step(id, saved(settings.notification_status !== 'waiting'), { copy });

const forwarding = ({ settings }: SetupFacts) =>
  step('forwarding', saved(settings.notification_forward_url !== null || settings.track_new_purchases), {
    isOptional: true,
    detail: settings.notification_forward_url,
    fields: {
      notification_forward_url: settings.notification_forward_url ?? '',
      track_new_purchases: String(settings.track_new_purchases),
    },
  });

function appleSteps(facts: SetupFacts, bundleId: string): SetupStep[] {
  const {
    subscription_key: key,
    app_store_connect_api_key: connect,
    shared_secret,
  } = facts.settings.credentials;
  const { refund_request_handling: refunds, refund_data_consent: consent } = facts.settings;
  return [
    step('bundle', saved(true), {
      detail: bundleId,
      isChecked: key.configured,
      fields: { bundle_id: bundleId, app_apple_id: '' },
    }),
    step('appleKey', credential(key.configured, facts), {
      detail: key.key_id,
      isChecked: true,
      isCredential: true,
      fields: {
        subscription_private_key: '',
        subscription_key_id: key.key_id ?? '',
        subscription_key_issuer: key.issuer_id ?? '',
      },
    }),
    address('appleAddress', facts),
    step('appleReceived', received(facts)),
    step('appleSecret', saved(shared_secret.configured), {
      isOptional: true,
      isCredential: true,
      fields: { shared_secret: '' },
    }),
    step('connectKey', saved(connect.configured), {
      isOptional: true,
      isCredential: true,
      detail: connect.key_id,
      fields: {
        app_store_connect_api_key: '',
        app_store_connect_api_key_id: connect.key_id ?? '',
        app_store_connect_api_key_issuer: connect.issuer_id ?? '',
        app_store_connect_vendor_number: connect.vendor_number ?? '',
      },
    }),
    step('refunds', saved(refunds !== 'do_not_handle'), {
      isOptional: true,
      fields: { refund_request_handling: refunds, refund_data_consent: consent },
    }),
    forwarding(facts),
  ];
}

function googleSteps(facts: SetupFacts, packageName: string): SetupStep[] {
  const { play_service_account: account } = facts.settings.credentials;
  const hint = facts.health?.notifications_hint;
  return [
    step('package', saved(true), {
      detail: packageName,
      isChecked: account.configured,
      fields: { package_name: packageName },
    }),
    step('account', credential(account.configured, facts), {
      detail: account.client_email,
      isChecked: true,
      isCredential: true,
      fields: { play_service_account_credentials_json: '' },
    }),
    address('googleTopic', facts),
    step('googleReceived', received(facts)),
    step('push', hint ? { kind: 'failed', words: hint } : { kind: 'unreported' }, {
      isOptional: true,
      fields: { pubsub_audience: '', pubsub_service_account: '' },
    }),
    forwarding(facts),
  ];
}

function amazonSteps(facts: SetupFacts, packageName: string): SetupStep[] {
  const { credentials, sns_topic_arn: topic, sns_confirmation_token: token } = facts.settings;
  return [
    step('amazonPackage', saved(true), { detail: packageName, fields: { package_name: packageName } }),
    step('amazonSecret', credential(credentials.shared_secret.configured, facts), {
      isChecked: true,
      isCredential: true,
      fields: { shared_secret: '' },
    }),
    address('amazonAddress', facts, token === null ? 'address' : 'token'),
    step('amazonReceived', received(facts)),
    step('topic', saved(topic !== null), {
      isOptional: true,
      detail: topic,
      fields: { sns_topic_arn: topic ?? '' },
    }),
    forwarding(facts),
  ];
}

/** Steps for a store with a key, a webhook URL and its secret. */
function webSteps(
  store: 'paddle' | 'stripe',
  fields: { key: FieldName; secret: FieldName },
  onlySecretKey: boolean,
  facts: SetupFacts,
): SetupStep[] {
  const hasEvents = facts.settings.notification_status !== 'waiting';
  return [
    step(`${store}Key`, credential(facts.health?.credentials_configured ?? false, facts), {
      isChecked: true,
      isCredential: true,
      fields: { [fields.key]: '' },
    }),
    address(`${store}Address`, facts),
    // Without the secret, no events are received.
    step(`${store}Secret`, hasEvents ? { kind: 'saved' } : { kind: 'unreported' }, {
      fields: { [fields.secret]: '' },
    }),
    step(`${store}Received`, received(facts)),
    step('receipts', saved(onlySecretKey), {
      isOptional: true,
      fields: { require_secret_key_for_receipts: String(onlySecretKey) },
    }),
  ];
}

function stripeSteps(facts: SetupFacts, stripe: NonNullable<App['stripe']>): SetupStep[] {
  const fields = { key: 'stripe_secret_key', secret: 'stripe_webhook_secret' } as const;
  return [
    ...webSteps('stripe', fields, stripe.require_secret_key_for_receipts, facts),
    step('stripeAccount', saved(stripe.stripe_account_id !== null), {
      isOptional: true,
      detail: stripe.stripe_account_id,
      fields: { stripe_account_id: stripe.stripe_account_id ?? '' },
    }),
    forwarding(facts),
  ];
}

function paddleSteps(facts: SetupFacts, paddle: NonNullable<App['paddle']>): SetupStep[] {
  const fields = { key: 'paddle_api_key', secret: 'paddle_webhook_secret' } as const;
  const { app_user_id_source: source, app_user_id_custom_data_key: field } = paddle;
  return [
    ...webSteps('paddle', fields, paddle.require_secret_key_for_receipts, facts),
    step('paddleCustomers', saved(true), {
      isOptional: true,
      detail: source === 'anonymous' ? null : field,
      fields: { app_user_id_source: source, app_user_id_custom_data_key: field },
    }),
    forwarding(facts),
  ];
}

/** Roku does not report the switch; it is inferred from notifications. */
function rokuSigning({ settings }: SetupFacts): StepState {
  const { notification_status: status, last_notification_error: error } = settings;
  if (status === 'unsigned') return { kind: 'failed', atMs: error?.at, words: error?.message };
  const atMs = settings.last_notification_received_at;
  return atMs === null ? { kind: 'todo' } : { kind: 'verified', atMs };
}

function rokuSteps(facts: SetupFacts, roku: NonNullable<App['roku']>): SetupStep[] {
  const { roku_channel_id: id, roku_channel_name: name } = roku;
  const tests = facts.settings.allow_test_notifications;
  const channel = { roku_channel_id: id ?? '', roku_channel_name: name ?? '' };
  const key = credential(facts.health?.credentials_configured ?? false, facts);
  return [
    step('rokuKey', key, { isChecked: true, isCredential: true, fields: { roku_api_key: '' } }),
    step('rokuChannel', saved(id !== null), { detail: id, fields: channel }),
    address('rokuAddress', facts),
    step('rokuSigning', rokuSigning(facts)),
    step('rokuReceived', received(facts)),
    step('rokuTests', saved(tests), {
      isOptional: true,
      fields: { allow_test_notifications: String(tests) },
    }),
    forwarding(facts),
  ];
}

/** Returns the setup steps of an app's store, in order; empty for a store that this server cannot verify. */
export function setupSteps(facts: SetupFacts): SetupStep[] {
  const { app } = facts;
  const apple = app.app_store ?? app.mac_app_store;
  if (apple) return appleSteps(facts, apple.bundle_id);
  if (app.play_store) return googleSteps(facts, app.play_store.package_name);
  if (app.amazon) return amazonSteps(facts, app.amazon.package_name);
  if (app.paddle) return paddleSteps(facts, app.paddle);
  if (app.roku) return rokuSteps(facts, app.roku);
  if (app.stripe) return stripeSteps(facts, app.stripe);
  if (!app.test_store) return [];
  const { renewal_mode: mode, max_renewals: most } = app.test_store;
  return [step('renewals', saved(true), { fields: { renewal_mode: mode, max_renewals: String(most) } })];
}
