import type { SetupHealth } from './setup-health.queries.js';

export const storeNames: Record<SetupHealth['apps'][number]['type'], string> = {
  app_store: 'App Store',
  mac_app_store: 'Mac App Store',
  play_store: 'Google Play',
  amazon: 'Amazon Appstore',
  stripe: 'Stripe',
  rc_billing: 'Web Billing',
  roku: 'Roku',
  paddle: 'Paddle',
  test_store: 'Test Store',
};
