import type { PaywallSettings } from '../paywall.types.js';
import { nameProblem, withoutSetting, withSetting } from './setting-names.js';

const white = { light: { type: 'hex', value: '#ffffff' } };
const settings: PaywallSettings = {
  object: 'paywall_settings',
  colors: { brand: white, paper: white },
  fonts: {},
  custom_variables: {},
};

describe('names of shared settings', () => {
  it.each([
    ['colors', 'my color-2', null],
    ['colors', 'constructor', null],
    ['colors', '', 'Enter a name.'],
    ['colors', 'brand', 'This name is taken.'],
    ['colors', '1st', expect.stringContaining('letter')],
    ['custom_variables', 'level_1', null],
    ['custom_variables', 'level 1', expect.stringContaining('digits and _')],
  ] as const)('checks %s %s', (field, name, problem) => {
    expect(nameProblem(settings, field, name)).toEqual(problem);
  });

  it('adds, replaces and removes one setting', () => {
    const black = { light: { type: 'hex', value: '#000000' } };
    expect(withSetting(settings, 'colors', 'ink', black)).toEqual({
      colors: { brand: white, paper: white, ink: black },
    });
    expect(withSetting(settings, 'colors', 'brand', black)).toEqual({
      colors: { brand: black, paper: white },
    });
    expect(withoutSetting(settings, 'colors', 'brand')).toEqual({ colors: { paper: white } });
  });
});
