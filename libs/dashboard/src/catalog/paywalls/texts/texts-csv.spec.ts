import fc from 'fast-check';
import type { PaywallDocument } from '../paywall.types.js';
import { textsCsv } from './texts-csv.js';
import { readTexts, withTexts } from './texts-import.js';

function documentWith(
  texts: Record<string, Record<string, string>>,
  ids = Object.keys(texts.en_US ?? {}),
): PaywallDocument {
  const components = ids.map((id, index) => ({ type: 'text', id: `c${index}`, text_lid: id }));
  return {
    default_locale: 'en_US',
    components_config: { base: { stack: { type: 'stack', id: 'root', components } } },
    components_localizations: texts,
  };
}

const read = (document: PaywallDocument, file: string) => readTexts(document, file);

describe('texts as CSV', () => {
  it('has a column for each language, the default one first', () => {
    const document = documentWith({ de_DE: { a: 'Ja' }, en_US: { a: 'Yes, "sure"', b: '=1+1' } });
    expect(textsCsv(document)).toBe(
      '\ufeffid,component,en_US,de_DE\r\na,Text,"Yes, ""sure""",Ja\r\nb,Text,\'=1+1,\r\n',
    );
  });

  it('changes nothing when the exported file is read', async () => {
    const characters = fc.constantFrom('a', ',', ';', '"', "'", '\n', '=', '-', '＝', '1', ' ', 'é', '😀');
    const text = fc.oneof(fc.string({ unit: characters }), fc.constant('=1+1'), fc.constant("'=1+1"));
    const texts = fc.dictionary(fc.stringMatching(/^[A-Za-z0-9_.-]{1,10}$/), text, {
      minKeys: 1,
      maxKeys: 6,
    });
    await fc.assert(
      fc.asyncProperty(texts, texts, async (english, german) => {
        const document = documentWith({ en_US: english, de_DE: german });
        expect(await read(document, textsCsv(document))).toEqual({
          changes: [],
          newLocales: [],
          ignored: [],
        });
      }),
    );
  });

  it('gives another paywall the same texts', async () => {
    const characters = fc.constantFrom('a', ',', ';', '"', '\n', '=', '+', '@', ' ', 'é');
    const texts = fc.array(fc.string({ unit: characters, minLength: 1 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(texts, async (all) => {
        const english = Object.fromEntries(all.map((text, index) => [`t${index}`, text]));
        const document = documentWith({ en_US: english });
        const empty = documentWith({ en_US: {} }, Object.keys(english));
        const { changes } = await read(empty, textsCsv(document));
        expect(withTexts(empty, changes)).toEqual({ en_US: english });
      }),
    );
  });

  it('reads semicolons, new languages and line breaks of spreadsheets', async () => {
    const document = documentWith({ en_US: { a: 'Yes', b: 'No' } });
    const file = 'id;component;en_US;fr-FR\r\na;Text;Yes;"Oui,\r\noui"\r\nb;Text;;\r\n';
    expect(await read(document, file)).toEqual({
      changes: [{ id: 'a', component: 'Text', locale: 'fr_FR', before: undefined, after: 'Oui,\noui' }],
      newLocales: ['fr_FR'],
      ignored: [],
    });
  });

  it('leaves out rows and texts that the paywall cannot have', async () => {
    const document = documentWith({ en_US: { a: 'Yes', b: 'No' } });
    const file = `id,en_US,notes\na,${'x'.repeat(5001)},\nb,"N\u0007o",\nz,Zero,\n`;
    expect(await read(document, file)).toEqual({
      changes: [],
      newLocales: [],
      ignored: [
        '1 row is not in this paywall.',
        '2 texts have more than 5,000 characters, or characters that apps cannot show.',
      ],
    });
  });

  it.each([
    ['', /no column “id”/],
    ['name,en_US\na,b', /no column “id”/],
    ['id,component\na,b', /no column of a language/],
    ['id,en_US\na,"b', /not a CSV table/],
  ])('refuses %j', async (file, message) => {
    await expect(read(documentWith({ en_US: { a: 'Yes' } }), file)).rejects.toThrow(message);
  });
});
