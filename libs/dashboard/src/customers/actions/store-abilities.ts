type Ability = 'refund' | 'cancel' | 'extend';

const able: Record<Ability, readonly string[]> = {
  refund: ['play_store', 'test_store'],
  cancel: ['play_store'],
  extend: ['app_store', 'mac_app_store', 'play_store'],
};

/** Whether a store supports an action through this server. */
export const canDo = (store: string, ability: Ability): boolean => able[ability].includes(store);

const apple =
  'Apple decides about it. The customer asks at reportaproblem.apple.com, or turns renewal off in the settings of their device.';
const testStore = 'The Test Store does this by a test purchase with the matching scenario.';

const places: Record<string, string> = {
  app_store: apple,
  mac_app_store: apple,
  play_store: 'This is done in the Google Play Console, under Order management.',
  amazon: 'Amazon decides about it. The customer asks Amazon customer service.',
  stripe: 'This is done in the Stripe Dashboard, on the page of the subscription or payment.',
  rc_billing: 'This is done in the dashboard of the payment provider.',
  paddle: 'This is done in the Paddle dashboard, under Transactions or Subscriptions.',
  roku: 'This is done in the Roku Developer Dashboard; the customer can also do it on my.roku.com.',
  test_store: testStore,
};

/** Returns the place where people can do it instead. */
export const placeOf = (store: string): string => places[store] ?? 'This is done at the store itself.';
