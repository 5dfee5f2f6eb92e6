import type { PaywallDocument, PaywallProblem } from '../model.js';
import { CheckedDocument, type ProblemContext } from './context.js';
import { referenceErrors, referenceWarnings } from './reference-problems.js';
import { schemaProblems } from '../document/schema.js';
import { structureErrors, structureWarnings } from './structure-problems.js';
import { textErrors, textWarnings } from './text-problems.js';

const MAX_PROBLEMS = 100;

const rules = [
  ...structureErrors,
  ...textErrors,
  ...referenceErrors,
  ...structureWarnings,
  ...textWarnings,
  ...referenceWarnings,
];

/** Problems of a document in its output form, errors first. Only if the schema holds, the other rules are checked. */
export function problemsOf(document: object, context: ProblemContext): PaywallProblem[] {
  const breaches = schemaProblems(document, MAX_PROBLEMS);
  if (breaches.length > 0) return breaches;
  const checked = new CheckedDocument(document as PaywallDocument, context);
  return rules.flatMap((rule) => rule(checked)).slice(0, MAX_PROBLEMS);
}
