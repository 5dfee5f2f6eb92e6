import type { App } from './app.entity.js';
import type { AppType } from '../../platform/principal/app-types.js';
import type { CredentialName } from './store-fields.js';

/** The in-app purchase key of the App Store. */
export const subscriptionKey = [
  'subscription_private_key',
  'subscription_key_id',
  'subscription_key_issuer',
] as const satisfies CredentialName[];

export const connectKey = [
  'app_store_connect_api_key',
  'app_store_connect_api_key_id',
  'app_store_connect_api_key_issuer',
] as const satisfies CredentialName[];

/** The credentials needed to call each store. */
const needed: Record<AppType, readonly CredentialName[]> = {
  app_store: subscriptionKey,
  mac_app_store: subscriptionKey,
  play_store: ['play_service_account_credentials_json'],
  amazon: ['shared_secret'],
  stripe: ['stripe_secret_key'],
  roku: ['roku_api_key'],
  paddle: ['paddle_api_key'],
  rc_billing: [],
  test_store: [],
};

export function holds(app: Pick<App, 'sealedCredentials'>, names: readonly CredentialName[]): boolean {
  return names.every((name) => app.sealedCredentials[name] !== undefined);
}

export function credentialsConfigured(app: Pick<App, 'type' | 'sealedCredentials'>): boolean {
  return holds(app, needed[app.type]);
}
