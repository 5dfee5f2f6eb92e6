import type { JsonObject, PaywallDocument } from '../paywall.types.js';
import { localesOf, textOf, textRowsOf } from './text-rows.js';

const text = (id: string, lid: string, more: JsonObject = {}): JsonObject => ({
  type: 'text',
  id,
  text_lid: lid,
  ...more,
});

const document: PaywallDocument = {
  default_locale: 'en_US',
  components_config: {
    base: {
      stack: {
        type: 'stack',
        id: 'c1',
        components: [
          text('c2', 'title', { name: 'Headline' }),
          {
            type: 'package',
            id: 'c3',
            stack: { type: 'stack', id: 'c4', components: [text('c5', 'price')] },
          },
          text('c6', 'title'),
          { type: 'image', id: 'c7', override_source_lid: 'picture' },
          {
            type: 'button',
            id: 'c8',
            action: { type: 'navigate_to', url: { url_lid: 'terms' } },
            stack: { type: 'stack', id: 'c9', name: 'Links', components: [text('c10', 'terms_label')] },
          },
        ],
      },
    },
  },
  components_localizations: {
    de_DE: { title: 'Alles' },
    en_US: { title: 'Everything', price: '', picture: { light: {} } as never, unused: 'x' },
  },
};

describe('texts of a paywall', () => {
  it('lists each text once, in the order of the document, with its component', () => {
    expect(textRowsOf(document)).toEqual([
      { id: 'title', component: 'Headline' },
      { id: 'price', component: 'Package › Text' },
      { id: 'terms', component: 'Button: address' },
      { id: 'terms_label', component: 'Links › Text' },
    ]);
  });

  it('puts the default language first', () => {
    expect(localesOf(document)).toEqual(['en_US', 'de_DE']);
  });

  it('tells an empty text from a missing one', () => {
    expect(textOf(document, 'en_US', 'price')).toBe('');
    expect(textOf(document, 'de_DE', 'price')).toBeUndefined();
    expect(textOf(document, 'fr_FR', 'price')).toBeUndefined();
    expect(textOf(document, 'en_US', 'picture')).toBeUndefined();
  });
});
