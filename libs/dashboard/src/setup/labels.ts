export const summaryText = (name: string, store: string) => (name === store ? name : `${name}, ${store}`);

export const storeNames: Record<string, string> = {
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
