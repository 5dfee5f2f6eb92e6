import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { exampleDocument } from '../testing/context.js';
import { changedExamples, generatedDocument } from '../testing/generated.js';
import { colorProblem, paywallDocumentSchema, schemaProblems } from './schema.js';

describe('the check of the schema', () => {
  // In strict mode, a misspelled keyword is an error.
  const ajv = new Ajv2020({ discriminator: true, strict: true, strictRequired: false, strictTypes: false });
  ajv.addSchema(paywallDocumentSchema, 'document');
  const accepts = ajv.compile({ $ref: 'document' });
  const acceptsColor = ajv.compile({ $ref: 'document#/$defs/color_scheme' });

  const expectSameVerdict = (document: unknown): void => {
    expect(schemaProblems(document).length === 0).toBe(accepts(document));
  };

  it('accepts what a full validator accepts', () => {
    expectSameVerdict(exampleDocument());
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (seed) => expectSameVerdict(generatedDocument(seed))),
      { numRuns: 200 },
    );
  });

  it('judges a changed document as a full validator does', () => {
    fc.assert(fc.property(changedExamples, expectSameVerdict), { numRuns: 1000 });
  });

  it('judges any value as a full validator does', () => {
    const values = fc.oneof(fc.jsonValue(), fc.constant({ light: { type: 'hex', value: '#ffffff' } }));
    fc.assert(
      fc.property(values, (value) => {
        expectSameVerdict(value);
        expect(colorProblem(value) === null).toBe(acceptsColor(value));
      }),
    );
  });
});
