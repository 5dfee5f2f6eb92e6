import type { JsonObject } from '../../kernel/index.js';
import { exampleDocument, find, identity, ofType, templateDocument } from '../testing/context.js';
import { brokenBound } from './bounds.js';
import { below, lastKey } from './pointer.js';
import { schemaProblems } from './schema.js';
import { toOutput, toStored, withoutNulls } from './stored-document.js';

/** A template whose first text component was changed. */
function withText(changes: JsonObject): JsonObject {
  const document = templateDocument('simple');
  Object.assign(find(document.components_config, ofType('text')), changes);
  return document;
}

const where = '/components_config/base/stack/components/0/components/0/stack/components/0';

describe('the schema', () => {
  it('accepts the example with every component', () => {
    expect(schemaProblems(exampleDocument())).toEqual([]);
  });

  it.each<[JsonObject, string, RegExp]>([
    [{ font_weight: 'heavy' }, `${where}/font_weight`, /^`font_weight` must be one of extra_light, thin, /],
    [{ color: 'red' }, `${where}/color`, /^`color` must be an object\.$/],
    [
      { font_size: true },
      `${where}/font_size`,
      /^`font_size` must be a whole number or one of heading_xxl, /,
    ],
    [{ shadows: [] }, `${where}/shadows`, /^`shadows` is not known here\.$/],
    [{ type: 'label' }, `${where}/type`, /^`type` must be one of text, image, icon, /],
    [{ text_lid: '' }, `${where}/text_lid`, /^`text_lid` must match /],
    [{ visible: null }, `${where}/visible`, /^`visible` must be true or false\.$/],
    [
      { overrides: [{ conditions: [], properties: { visible: true } }] },
      `${where}/overrides/0/conditions`,
      /1 entry/,
    ],
    [
      { margin: { top: -1, bottom: 0, leading: 0, trailing: 0 } },
      `${where}/margin/top`,
      /^`top` must be at least 0\.$/,
    ],
  ])('names the place of %j', (changes, path, message) => {
    expect(schemaProblems(withText(changes))).toEqual([
      { severity: 'error', code: 'E1', path, message: expect.stringMatching(message) as string },
    ]);
  });

  it('names a missing field and the object without it', () => {
    const document = templateDocument('simple');
    delete find(document.components_config, ofType('text')).color;
    expect(schemaProblems(document)).toMatchObject([{ path: where, message: '`color` is missing.' }]);
  });

  it('reports a localized value that is neither a text nor an image once', () => {
    const document = templateDocument('simple');
    document.components_localizations.en_US = { a: { light: { width: 1 } }, b: 7 };
    expect(schemaProblems(document)).toMatchObject([
      { path: '/components_localizations/en_US/a', message: '`a` must be a text or an image.' },
      { path: '/components_localizations/en_US/b', message: '`b` must be a text or an image.' },
    ]);
  });

  it('checks thousands of wrong values at once, up to a limit', () => {
    const wrong = Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`t${index}`, index]));
    const document = { ...exampleDocument(), components_localizations: { en_US: wrong } };
    const startedAt = performance.now();
    expect(schemaProblems(document, 100)).toHaveLength(100);
    // Copying all errors for each further one would take half a minute.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('refuses a name that is no locale', () => {
    const document = templateDocument('simple');
    document.components_localizations['de-DE'] = {};
    expect(schemaProblems(document)).toMatchObject([{ path: '/components_localizations/de-DE' }]);
  });
});

describe('bounds', () => {
  const components = (count: number): JsonObject => ({
    components_config: { base: Array.from({ length: count }, () => ({ type: 'text' })) },
  });
  const nested = (depth: number): JsonObject => (depth === 1 ? {} : { a: nested(depth - 1) });
  const texts = (value: JsonObject): JsonObject => ({ components_localizations: { en_US: value } });
  const many = (count: number, name: string, value: JsonObject | string): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, value]));

  it.each<[string, JsonObject, string | null]>([
    ['1,000 components', components(1000), null],
    ['1,001 components', components(1001), 'components_config'],
    ['60 levels', { components_config: nested(59) }, null],
    ['61 levels', { components_config: nested(60) }, 'components_config'],
    ['60 locales', { components_localizations: many(60, 'l', {}) }, null],
    ['61 locales', { components_localizations: many(61, 'l', {}) }, 'components_localizations'],
    ['1,000 texts', texts(many(1000, 't', '')), null],
    ['1,001 texts', texts(many(1001, 't', '')), 'components_localizations'],
    ['a text of 5,000 characters', texts({ a: 'x'.repeat(5000) }), null],
    ['a text of 5,001 characters', texts({ a: 'x'.repeat(5001) }), 'components_localizations'],
    ['a newline', texts({ a: 'x\ny' }), null],
    ['a tab', texts({ a: 'x\ty' }), 'components_localizations'],
    ['256 KiB', { exit_offers: 'x'.repeat(256 * 1024) }, 'exit_offers'],
    ['a prototype', JSON.parse('{"exit_offers":{"__proto__":1}}') as JsonObject, 'exit_offers'],
    ['a NUL character', { exit_offers: { a: ['\0'] } }, 'exit_offers'],
    ['a NUL character in a name', { components_config: { 'a\0': 1 } }, 'components_config'],
    ['an infinite number', JSON.parse('{"components_config":[1e999]}') as JsonObject, 'components_config'],
    ['a constructor', texts({ constructor: 'x' }), 'components_localizations'],
  ])('checks %s', (_, document, field) => {
    expect(brokenBound(document)?.field ?? null).toBe(field);
  });

  it('holds for the example', () => {
    expect(brokenBound(exampleDocument())).toBeNull();
  });
});

describe('a stored document', () => {
  it('has no null at any depth', () => {
    expect(withoutNulls({ a: null, b: [{ c: null, d: 1 }, null] })).toEqual({ b: [{ d: 1 }, null] });
  });

  it('names this server without its address, and gets it back', () => {
    const own = 'https://tenure.example.com/v1/blobs/proj1/abc';
    const document = {
      a: own,
      b: ['https://tenure.example.com/other'],
      c: { d: 'https://tenure.example.com/paywall-icons' },
    };
    const stored = toStored(document, 'https://tenure.example.com');
    expect(stored).toEqual({
      a: 'self:/v1/blobs/proj1/abc',
      b: ['https://tenure.example.com/other'],
      c: { d: 'self:/paywall-icons' },
    });
    expect(toOutput(stored, identity)).toEqual({
      ...document,
      id: 'pw1',
      template_name: 'components',
      asset_base_url: 'https://tenure.example.com/v1/blobs/proj1',
      revision: 3,
    });
    expect(toOutput(stored, { ...identity, publicUrl: 'https://new' }).a).toBe(
      'https://new/v1/blobs/proj1/abc',
    );
  });
});

describe('JSON pointers', () => {
  it('escape slashes and tildes', () => {
    expect(below('', 'a/b~c', 0)).toBe('/a~1b~0c/0');
    expect(lastKey('/x/a~1b~0c')).toBe('a/b~c');
    expect(lastKey('')).toBe('');
  });
});
