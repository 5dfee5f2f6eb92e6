import { managementUrl } from './management-url.js';

describe('managementUrl', () => {
  it('names product and package to the Play Store, whatever is in them', () => {
    expect(managementUrl('play_store', 'a&b=c', 'com.example.app')).toBe(
      'https://play.google.com/store/account/subscriptions?sku=a%26b%3Dc&package=com.example.app',
    );
  });

  it.each(['amazon', 'promotional', 'stripe', 'rc_billing', 'roku', 'paddle', 'test_store'] as const)(
    'returns null for %s',
    (store) => {
      expect(managementUrl(store, 'pro', 'com.example.app')).toBeNull();
    },
  );

  it('returns null for the Play Store when the app is gone', () => {
    expect(managementUrl('play_store', 'pro', undefined)).toBeNull();
  });
});
