/** A field of the app's store object in a step of its setup. */
export interface SetupField {
  kind: 'text' | 'secret' | 'p8' | 'json' | 'choice' | 'number';
  /** Whether it may be empty. */
  optional?: boolean;
  /** For a key file: the id field that is filled from its name. */
  idField?: FieldName;
}

const fields = {
  bundle_id: { kind: 'text' },
  app_apple_id: { kind: 'number', optional: true },
  subscription_private_key: { kind: 'p8', idField: 'subscription_key_id' },
  subscription_key_id: { kind: 'text' },
  subscription_key_issuer: { kind: 'text' },
  shared_secret: { kind: 'secret' },
  app_store_connect_api_key: { kind: 'p8', idField: 'app_store_connect_api_key_id' },
  app_store_connect_api_key_id: { kind: 'text' },
  app_store_connect_api_key_issuer: { kind: 'text' },
  app_store_connect_vendor_number: { kind: 'text', optional: true },
  refund_request_handling: { kind: 'choice' },
  refund_data_consent: { kind: 'choice' },
  package_name: { kind: 'text' },
  play_service_account_credentials_json: { kind: 'json' },
  pubsub_audience: { kind: 'text', optional: true },
  pubsub_service_account: { kind: 'text', optional: true },
  sns_topic_arn: { kind: 'text', optional: true },
  paddle_api_key: { kind: 'secret' },
  paddle_webhook_secret: { kind: 'secret' },
  app_user_id_source: { kind: 'choice' },
  app_user_id_custom_data_key: { kind: 'text', optional: true },
  roku_api_key: { kind: 'secret' },
  roku_channel_id: { kind: 'text', optional: true },
  roku_channel_name: { kind: 'text', optional: true },
  allow_test_notifications: { kind: 'choice' },
  stripe_secret_key: { kind: 'secret' },
  stripe_webhook_secret: { kind: 'secret' },
  stripe_account_id: { kind: 'text', optional: true },
  require_secret_key_for_receipts: { kind: 'choice' },
  notification_forward_url: { kind: 'text', optional: true },
  track_new_purchases: { kind: 'choice' },
  renewal_mode: { kind: 'choice' },
  max_renewals: { kind: 'number' },
} as const satisfies Record<string, { kind: SetupField['kind']; optional?: boolean; idField?: string }>;

export type FieldName = keyof typeof fields;

export const setupFields: Record<FieldName, SetupField> = fields;

function valueOf(name: FieldName, text: string): string | number | boolean {
  if (setupFields[name].kind === 'number' && /^\d+$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** Converts the input for the API. An empty field removes the previous value; if there was none, nothing changes. */
export function changesOf(
  initial: Partial<Record<FieldName, string>>,
  values: Record<string, string>,
): Record<string, string | number | boolean | null> {
  const changes: Record<string, string | number | boolean | null> = {};
  for (const [name, before] of Object.entries(initial) as [FieldName, string][]) {
    const text = (values[name] ?? '').trim();
    if (text !== '') changes[name] = valueOf(name, text);
    else if (before !== '') changes[name] = null;
  }
  return changes;
}
