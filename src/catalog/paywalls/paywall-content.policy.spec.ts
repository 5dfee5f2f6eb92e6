import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../libs/kernel/index.js';
import {
  assertRevision,
  changedContent,
  contentFields,
  isFullyPublished,
  presentRevision,
  scalesFontSize,
} from './paywall-content.policy.js';

const URL = 'https://tenure.example.com';
const document = { default_locale: 'en_US', components_config: { a: 1 }, components_localizations: {} };

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, 1, 'x', true, `${URL}/v1/blobs/p/r`, 'https://other.example.com'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
}));
const changes = fc.dictionary(fc.constantFrom(...contentFields), value, { noNullPrototype: true });

describe('a change of a document', () => {
  it('replaces the fields that are sent and removes those that are null', () => {
    const before: JsonObject = { ...document, exit_offers: { dismiss: {} } };
    const sent = { exit_offers: null, components_config: { b: null, c: [2] }, unknown: 1 };
    expect(changedContent(before, sent, URL)).toEqual({ ...document, components_config: { c: [2] } });
    expect(before).toHaveProperty('exit_offers');
  });

  it('keeps no null and no address of this server, and changes nothing the second time', () => {
    fc.assert(
      fc.property(changes, (sent) => {
        const once = changedContent(document, sent, URL);
        const text = JSON.stringify(once);
        expect(text).not.toMatch(/:null/);
        expect(text).not.toContain(URL);
        expect(changedContent(once, sent, URL)).toEqual(once);
        for (const field of contentFields) {
          if (!(field in sent)) expect(once[field]).toEqual((document as JsonObject)[field]);
        }
      }),
    );
  });

  it('names the field that breaks a bound', () => {
    const sent = { exit_offers: { a: 'x'.repeat(300_000) } };
    expect(() => changedContent(document, sent, URL)).toThrow(
      expect.objectContaining({ details: { param: 'exit_offers' } }) as Error,
    );
  });

  it('scales the font size unless it says otherwise', () => {
    expect(scalesFontSize({})).toBe(true);
    expect(scalesFontSize({ automatically_scale_font_size: false })).toBe(false);
  });
});

describe('the revision of a paywall', () => {
  const draft = { draft: document, revision: 4, publishedRevision: 2 };

  it('belongs to the draft, otherwise to the published version', () => {
    expect(presentRevision(draft)).toBe(4);
    expect(presentRevision({ ...draft, draft: null })).toBe(2);
  });

  it('rejects every other revision, naming the present one', () => {
    expect(() => assertRevision(draft, 4)).not.toThrow();
    for (const revision of [2, 3, 5]) expect(() => assertRevision(draft, revision)).toThrow(/is now 4\.$/);
  });

  it('leaves nothing to publish without a draft and for the same offering', () => {
    const published = { draft: null, offeringId: 'a', publishedOfferingId: 'a' };
    expect(isFullyPublished(published)).toBe(true);
    expect(isFullyPublished({ ...published, offeringId: 'b' })).toBe(false);
    expect(isFullyPublished({ ...published, draft: document })).toBe(false);
    expect(isFullyPublished({ ...published, publishedOfferingId: null })).toBe(false);
  });
});
