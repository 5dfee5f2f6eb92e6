import type { FieldName } from './setup-fields.js';

const yesNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

export const fieldWords: Record<
  FieldName,
  { label: string; hint?: string; options?: { value: string; label: string }[] }
> = {
  bundle_id: { label: 'Bundle ID', hint: 'For example com.example.app' },
  app_apple_id: {
    label: 'Apple ID of the app',
    hint: 'A number on the same page. Not shown again. Leave empty to keep the saved value.',
  },
  subscription_private_key: {
    label: 'Key file (.p8)',
    hint: 'Apple lets you download it once. The file is read in your browser and sent to this server only.',
  },
  subscription_key_id: { label: 'Key ID', hint: 'Part of the file’s name.' },
  subscription_key_issuer: { label: 'Issuer ID', hint: 'Above the list of keys.' },
  shared_secret: { label: 'Shared secret' },
  app_store_connect_api_key: { label: 'Key file (.p8)' },
  app_store_connect_api_key_id: { label: 'Key ID', hint: 'Part of the file’s name.' },
  app_store_connect_api_key_issuer: { label: 'Issuer ID', hint: 'Above the list of keys.' },
  app_store_connect_vendor_number: { label: 'Vendor number' },
  refund_request_handling: {
    label: 'Answer to Apple',
    options: [
      { value: 'do_not_handle', label: 'Send nothing' },
      { value: 'grant_full', label: 'Prefer a refund' },
      { value: 'decline', label: 'Prefer no refund' },
      { value: 'let_apple_decide', label: 'Send the facts, without a preference' },
      { value: 'policies', label: 'Decide by refund policies' },
    ],
  },
  refund_data_consent: {
    label: 'Consent to share how a purchase was used',
    hint: 'Answers tell Apple that the customer agreed. Only confirm this if your terms say so.',
    options: [
      { value: 'none', label: 'Do not send' },
      { value: 'all_customers', label: 'All customers agreed' },
      { value: 'attribute', label: 'Only customers with $refundDataConsent' },
    ],
  },
  package_name: { label: 'Package name', hint: 'For example com.example.app' },
  play_service_account_credentials_json: {
    label: 'Key file (.json)',
    hint: 'The file is read in your browser and sent to this server only.',
  },
  pubsub_audience: { label: 'Audience', hint: 'Not shown again. Leave empty to keep the saved value.' },
  pubsub_service_account: {
    label: 'Service account of the subscription',
    hint: 'Its email address. Not shown again. Leave empty to keep the saved value.',
  },
  sns_topic_arn: { label: 'Topic ARN', hint: 'If empty, the first topic that sends is accepted.' },
  paddle_api_key: { label: 'API key', hint: 'pdl_live_apikey_… or pdl_sdbx_apikey_…' },
  paddle_webhook_secret: { label: 'Secret key of the destination', hint: 'pdl_ntfset_…' },
  app_user_id_source: {
    label: 'Customer of a purchase that only a webhook reports',
    options: [
      { value: 'custom_data', label: 'The app user id in custom_data' },
      { value: 'anonymous', label: 'A new anonymous customer' },
    ],
  },
  app_user_id_custom_data_key: { label: 'Field of custom_data', hint: 'Empty means app_user_id.' },
  roku_api_key: { label: 'API key', hint: '36 letters and digits' },
  roku_channel_id: {
    label: 'Channel id',
    hint: 'Digits. Leave empty to accept purchases of all your channels.',
  },
  roku_channel_name: { label: 'Channel name' },
  allow_test_notifications: { label: 'Accept notifications signed with test keys', options: yesNo },
  stripe_secret_key: { label: 'Restricted key', hint: 'rk_live_… or rk_test_…' },
  stripe_webhook_secret: { label: 'Signing secret', hint: 'whsec_…' },
  stripe_account_id: { label: 'Account id', hint: 'acct_…' },
  require_secret_key_for_receipts: { label: 'Only my backend, with a secret key', options: yesNo },
  notification_forward_url: { label: 'Forward notifications to', hint: 'Your own address. Optional.' },
  track_new_purchases: { label: 'Record purchases that only a notification reports', options: yesNo },
  renewal_mode: {
    label: 'Renewals',
    options: [
      { value: 'real', label: 'At the end of each period' },
      { value: 'accelerated', label: 'Fast: a month takes five minutes' },
      { value: 'none', label: 'None: they expire after the first period' },
    ],
  },
  max_renewals: { label: 'Maximum renewals', hint: '1 to 100' },
};
