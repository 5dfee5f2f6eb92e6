import fc from 'fast-check';
import { decodeOnAndroid, decodeOnIos } from '../../../test/peers/paywall-decoders.js';
import type { JsonObject } from '../../kernel/index.js';
import { paywallTemplates } from '../templates/templates.js';
import { exampleDocument, find, ofType, templateDocument } from '../testing/context.js';
import { changedExamples, generatedDocument } from '../testing/generated.js';
import { schemaProblems } from './schema.js';

const decoders = { iOS: decodeOnIos, Android: decodeOnAndroid };

/** The platforms that cannot decode a document. */
function failing(document: unknown): string[] {
  return Object.entries(decoders).flatMap(([platform, decode]) => {
    try {
      decode(document);
      return [];
    } catch (error) {
      return [`${platform}: ${(error as Error).message}`];
    }
  });
}

/** The example, changed at the first component of a type. */
function changed(type: string, changes: JsonObject): JsonObject {
  const document = exampleDocument();
  Object.assign(find(document.components_config, ofType(type)), changes);
  return document;
}

describe('the decoders of the SDKs', () => {
  it('accept the example and every template', () => {
    expect(failing(exampleDocument())).toEqual([]);
    for (const { id } of paywallTemplates) expect(failing(templateDocument(id))).toEqual([]);
  });

  it.each<[string, JsonObject, string[]]>([
    ['a null with a default', changed('text', { padding: null }), ['iOS', 'Android']],
    ['null overrides', changed('stack', { overrides: null }), ['Android']],
    ['an unknown font weight', changed('text', { font_weight: 'heavy' }), ['iOS', 'Android']],
    [
      'a fraction as width',
      changed('image', { size: { width: { type: 'fixed', value: 1.5 }, height: { type: 'fit' } } }),
      ['iOS', 'Android'],
    ],
    [
      'an image without WebP',
      changed('image', {
        source: {
          light: {
            width: 1,
            height: 1,
            original: 'https://a/b',
            heic: 'https://a/b',
            heic_low_res: 'https://a/b',
          },
        },
      }),
      ['Android'],
    ],
    [
      'an image without HEIC',
      changed('image', {
        source: {
          light: {
            width: 1,
            height: 1,
            original: 'https://a/b',
            webp: 'https://a/b',
            webp_low_res: 'https://a/b',
          },
        },
      }),
      ['iOS'],
    ],
    ['a missing size', changed('text', { size: undefined as unknown as JsonObject }), ['iOS']],
  ])('refuse %s, and so does the schema', (_, document, platforms) => {
    expect(failing(document).map((failure) => failure.split(':')[0])).toEqual(platforms);
    expect(schemaProblems(JSON.parse(JSON.stringify(document)))).not.toEqual([]);
  });

  it('replace an unknown component by its fallback and refuse it without one', () => {
    const button = find(exampleDocument(), ofType('wallet_button'));
    expect(failing(changed('wallet_button', { type: 'new_button' }))).toEqual([]);
    const refused = failing(changed('wallet_button', { ...button, fallback: null }));
    expect(refused.map((failure) => failure.split(':')[0])).toEqual(['iOS', 'Android']);
  });

  it('accept 500 documents made from the schema', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (seed) => {
        const document = generatedDocument(seed);
        expect(schemaProblems(document)).toEqual([]);
        expect(failing(document)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('accept what the schema accepts after a change of the example', () => {
    let accepted = 0;
    fc.assert(
      fc.property(changedExamples, (document) => {
        if (schemaProblems(document).length > 0) return;
        accepted++;
        expect(failing(document)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});
