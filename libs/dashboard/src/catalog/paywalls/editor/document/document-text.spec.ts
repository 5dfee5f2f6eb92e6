import { example, schema, screenWith } from '../testing/example.js';
import { documentProblem, parsedDocument } from './document-text.js';

const changed = (change: object): string => JSON.stringify({ ...screenWith([]), ...change });

it('accepts a document, and takes only what the editor changes', () => {
  expect(documentProblem(schema, JSON.stringify(example))).toBeNull();
  expect(parsedDocument(JSON.stringify(example))).not.toHaveProperty('template_name');
});

it.each([
  ['{', 'This is not JSON'],
  ['[]', 'must be an object'],
  ['{}', 'needs default_locale'],
  [changed({ default_locale: 'it_IT' }), 'components_localizations needs it_IT.'],
  [changed({ components_config: {} }), '/components_config needs base.'],
  [changed({ default_locale: 'English' }), '/default_locale has a wrong form.'],
])('refuses %s', (text, problem) => {
  expect(documentProblem(schema, text)).toContain(problem);
});
