import { mobilePlatform, platformOf } from './platform.js';
import { renewalWith } from './testing/fixture.js';

it.each([
  ['APP_STORE', 'iOS'],
  ['MAC_APP_STORE', 'macOS'],
  ['PLAY_STORE', 'Android'],
  ['AMAZON', 'Android'],
  ['ROKU', 'Roku'],
  ['STRIPE', 'Web'],
  ['PADDLE', 'Web'],
  ['PROMOTIONAL', undefined],
  ['TEST_STORE', undefined],
])('takes the platform of %s for %s', (store, platform) => {
  expect(platformOf(renewalWith({ store }))).toBe(platform);
});

describe('the app of an attribution tool', () => {
  const both = { ios: true, android: true };
  const none = { ios: false, android: false };
  it.each([
    ['APP_STORE', both, null, 'ios'],
    ['MAC_APP_STORE', both, 'android', 'ios'],
    ['PLAY_STORE', both, 'iOS', 'android'],
    ['AMAZON', both, null, 'android'],
    ['APP_STORE', { ios: false, android: true }, 'android', null],
    ['STRIPE', { ios: true, android: false }, 'android', 'ios'],
    ['STRIPE', { ios: false, android: true }, null, 'android'],
    ['STRIPE', both, 'iOS', 'ios'],
    ['STRIPE', both, 'android', 'android'],
    ['STRIPE', both, 'web', null],
    ['STRIPE', both, null, null],
    ['STRIPE', none, 'iOS', null],
    ['TEST_STORE', both, 'iOS', 'ios'],
  ])('follows from %s with %j, last seen on %s: %s', (store, isSetUp, platform, expected) => {
    expect(mobilePlatform(renewalWith({ store }), { platform }, isSetUp)).toBe(expected);
  });
});
