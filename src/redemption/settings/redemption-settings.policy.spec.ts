import { allows, defaultSettings, settingsAfter } from './redemption-settings.policy.js';

const present = defaultSettings('proj1');

describe('the settings of redemption', () => {
  it.each([
    ['off', 'sandbox', false],
    ['off', 'production', false],
    ['sandbox', 'sandbox', true],
    ['sandbox', 'production', false],
    ['production', 'sandbox', true],
    ['production', 'production', true],
  ] as const)('%s: a purchase of the %s is redeemable: %s', (enabled, environment, expected) => {
    expect(allows({ enabled }, environment)).toBe(expected);
  });

  it('keeps absent fields, and null clears', () => {
    const named = settingsAfter(present, {
      app_name: ' Pro ',
      app_store_url: 'https://apps.apple.com/app/id1',
    });
    expect(named).toMatchObject({
      appName: 'Pro',
      appStoreUrl: 'https://apps.apple.com/app/id1',
      linkMinutes: 60,
    });
    expect(settingsAfter(named, { link_minutes: 5 })).toEqual({ ...named, linkMinutes: 5 });
    expect(settingsAfter(named, { app_name: null, app_store_url: null })).toEqual(present);
  });

  it.each([
    ['url_scheme', 'javascript'],
    ['url_scheme', 'https'],
    ['app_name', '  '],
    ['app_store_url', 'javascript:alert(1)'],
    ['app_store_url', 'http://apps.apple.com/app'],
    ['play_store_url', 'https://user:secret@play.google.com/'],
    ['play_store_url', 'no url'],
    ['support_email', 'nobody'],
  ])('%s cannot be %s', (field, value) => {
    expect(() => settingsAfter(present, { [field]: value })).toThrow(field);
  });
});
