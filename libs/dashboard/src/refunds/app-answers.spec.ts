import { isAsking, isOff, lacksConsent } from './app-answers.js';

describe('apps whose stores ask about refunds', () => {
  it('belong to the App Store or Google Play', () => {
    const types = ['app_store', 'mac_app_store', 'play_store', 'amazon', 'test_store'];
    expect(types.filter(isAsking)).toEqual(['app_store', 'mac_app_store', 'play_store']);
  });

  it.each([
    ['app_store', 'policies', 'none', true],
    ['mac_app_store', 'decline', 'none', true],
    ['app_store', 'policies', 'attribute', false],
    ['app_store', 'do_not_handle', 'none', false],
    ['play_store', 'policies', 'none', false],
  ] as const)('need consent only for answers to Apple: %s, %s, %s', (type, handling, consent, isMissing) => {
    expect(lacksConsent({ type, handling, consent })).toBe(isMissing);
    expect(isOff({ handling })).toBe(handling === 'do_not_handle');
  });
});
