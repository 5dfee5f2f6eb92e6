import { changedSettings, noSettings, type SettingsChanges } from './paywall-settings.policy.js';

const white = { light: { type: 'hex', value: '#ffffff' } };
const font = { media_asset_id: 'mdas1', family: 'Inter', weight: 600, style: 'normal' };

describe('settings of paywalls', () => {
  it('replaces the fields of a request only', () => {
    const first = changedSettings(noSettings, { colors: { brand: white }, fonts: { inter: font } });
    expect(first).toEqual({ colors: { brand: white }, fonts: { inter: font }, customVariables: {} });
    const second = changedSettings(first, {
      colors: {},
      custom_variables: { level: { type: 'number', default_value: 1 } },
    });
    expect(second).toEqual({
      colors: {},
      fonts: { inter: font },
      customVariables: { level: { type: 'number', default_value: 1 } },
    });
  });

  it.each<[string, SettingsChanges]>([
    ['"1st" is not a valid name', { colors: { '1st': white } }],
    ['colors.brand: It must be an object.', { colors: { brand: null } }],
    ['colors.brand: `light` is missing.', { colors: { brand: {} } }],
    ['colors.brand: `value` must match', { colors: { brand: { light: { type: 'hex', value: 'red' } } } }],
    [
      'A shared color cannot name another one.',
      { colors: { brand: { light: { type: 'alias', value: 'x' } } } },
    ],
    [
      'colors may have at most 100 entries.',
      { colors: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`c${index}`, white])) },
    ],
    ['`media_asset_id` must be a text.', { fonts: { inter: { ...font, media_asset_id: 1 } } }],
    ['`family` must be a text', { fonts: { inter: { ...font, family: '' } } }],
    ['`weight` must be a whole number', { fonts: { inter: { ...font, weight: 1.5 } } }],
    ['`style` must be normal or italic.', { fonts: { inter: { ...font, style: 'oblique' } } }],
    ['`url` is not known here.', { fonts: { inter: { ...font, url: 'https://a' } } }],
    ['"a-b" is not a valid name', { custom_variables: { 'a-b': { type: 'string', default_value: '' } } }],
    ['`type` must be string', { custom_variables: { a: { type: 'date', default_value: '' } } }],
    [
      '`default_value` must be a number.',
      { custom_variables: { a: { type: 'number', default_value: '1' } } },
    ],
    [
      '`default_value` may have at most 500 characters.',
      { custom_variables: { a: { type: 'string', default_value: 'x'.repeat(501) } } },
    ],
  ])('explains why it refuses settings: %s', (message, changes) => {
    const [param] = Object.keys(changes);
    const refuse = () => changedSettings(noSettings, changes);
    expect(refuse).toThrow(message);
    expect(refuse).toThrow(expect.objectContaining({ details: { param } }) as Error);
  });
});
