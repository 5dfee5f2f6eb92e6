import { pathOf } from '../editor/document/json-path.js';
import type { PaywallDocument } from '../paywall.types.js';
import { componentAround, isAboutTexts } from './component-place.js';

const document: PaywallDocument = {
  default_locale: 'en_US',
  components_config: {
    base: {
      stack: {
        type: 'stack',
        id: 'c1',
        components: [{ type: 'text', id: 'c2', color: { light: { type: 'hex', value: 'red' } } }],
      },
      background: { type: 'color' },
    },
  },
  components_localizations: { en_US: {} },
};

describe('the place of a problem', () => {
  it.each([
    [
      '/components_config/base/stack/components/0/color/light/value',
      '/components_config/base/stack/components/0',
    ],
    ['/components_config/base/stack/components/0/font_size', '/components_config/base/stack/components/0'],
    ['/components_config/base/stack/components', '/components_config/base/stack'],
    ['/components_config/base/background', null],
    ['/components_localizations/en_US', null],
    ['', null],
  ])('finds the component around %s', (pointer, component) => {
    expect(componentAround(document, pathOf(pointer))).toEqual(component && pathOf(component));
  });

  it('knows problems of texts', () => {
    expect(isAboutTexts(pathOf('/components_localizations/de_DE'))).toBe(true);
    expect(isAboutTexts(pathOf('/components_config/base'))).toBe(false);
  });
});
