import { defaultRenewals } from '../../../libs/stores/index.js';
import type { AppDto, PublicApiKeyDto, StoreAnswerDto } from './app.dto.js';
import type { App } from './app.entity.js';
import type { AppType } from '../../platform/principal/app-types.js';
import { connectKey, holds, subscriptionKey } from './credentials.js';

const DEFAULT_CURRENCY = 'USD';
export const DEFAULT_CUSTOM_DATA_KEY = 'app_user_id';

const storeAnswers: Record<AppType, (app: App) => StoreAnswerDto> = {
  app_store: (app) => ({
    app_store: {
      bundle_id: app.storeSettings.bundle_id ?? '',
      app_store_connect_api_key_configured: holds(app, connectKey),
      subscription_key_configured: holds(app, subscriptionKey),
      app_store_connect_vendor_number: app.storeSettings.app_store_connect_vendor_number ?? null,
    },
  }),
  mac_app_store: ({ storeSettings }) => ({ mac_app_store: { bundle_id: storeSettings.bundle_id ?? '' } }),
  play_store: (app) => ({
    play_store: {
      package_name: app.storeSettings.package_name ?? '',
      play_service_account_credentials_configured: holds(app, ['play_service_account_credentials_json']),
    },
  }),
  amazon: ({ storeSettings }) => ({ amazon: { package_name: storeSettings.package_name ?? '' } }),
  stripe: ({ storeSettings }) => ({
    stripe: {
      stripe_account_id: storeSettings.stripe_account_id ?? null,
      require_secret_key_for_receipts: storeSettings.require_secret_key_for_receipts ?? false,
    },
  }),
  rc_billing: ({ name, storeSettings }) => ({
    rc_billing: {
      stripe_account_id: storeSettings.stripe_account_id ?? null,
      seller_company_name: storeSettings.app_name ?? name,
      app_name: storeSettings.app_name ?? name,
      support_email: storeSettings.support_email ?? null,
      default_currency: storeSettings.default_currency ?? DEFAULT_CURRENCY,
    },
  }),
  roku: ({ storeSettings }) => ({
    roku: {
      roku_channel_id: storeSettings.roku_channel_id ?? null,
      roku_channel_name: storeSettings.roku_channel_name ?? null,
    },
  }),
  paddle: ({ storeSettings }) => ({
    paddle: {
      paddle_is_sandbox: storeSettings.paddle_is_sandbox ?? false,
      paddle_api_key: null,
      app_user_id_source: storeSettings.app_user_id_source ?? 'custom_data',
      app_user_id_custom_data_key: storeSettings.app_user_id_custom_data_key ?? DEFAULT_CUSTOM_DATA_KEY,
      require_secret_key_for_receipts: storeSettings.require_secret_key_for_receipts ?? false,
    },
  }),
  test_store: ({ storeSettings }) => ({
    test_store: {
      renewal_mode: storeSettings.renewal_mode ?? defaultRenewals.renewalMode,
      max_renewals: storeSettings.max_renewals ?? defaultRenewals.maxRenewals,
    },
  }),
};

export function presentApp(app: App): AppDto {
  return {
    object: 'app',
    id: app.id,
    name: app.name,
    created_at: app.createdAt.getTime(),
    type: app.type,
    project_id: app.projectId,
    custom_url_scheme: app.customUrlScheme,
    ...storeAnswers[app.type](app),
  };
}

/** Id of an app's only public key; also the cursor of the list. */
export function publicKeyId(appId: string): string {
  return `pk_${appId}`;
}

export function presentPublicKey(app: App): PublicApiKeyDto {
  return {
    object: 'public_api_key',
    id: publicKeyId(app.id),
    key: app.publicKey,
    environment: app.type === 'test_store' ? 'sandbox' : 'production',
    app_id: app.id,
    created_at: app.createdAt.getTime(),
  };
}
