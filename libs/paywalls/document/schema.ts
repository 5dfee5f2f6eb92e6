import { type PaywallProblem, problem } from '../model.js';
import { type Schema, SchemaRules } from './schema-rules.js';
import document from '../paywall-document.schema.json' with { type: 'json' };

/** JSON Schema of a paywall document. */
export const paywallDocumentSchema = document as unknown as Readonly<
  Schema & { $defs: Record<string, Schema> }
>;

const rules = new SchemaRules(paywallDocumentSchema.$defs);

/** The first `limit` breaches of the schema (E1), each with the place of the value. */
export function schemaProblems(value: unknown, limit = Number.POSITIVE_INFINITY): PaywallProblem[] {
  const problems: PaywallProblem[] = [];
  for (const [path, message] of rules.breaches(paywallDocumentSchema, value)) {
    problems.push(problem('E1', path, message));
    if (problems.length >= limit) break;
  }
  return problems;
}

/** Returns what is wrong with a color of the settings, or null. */
export function colorProblem(value: unknown): string | null {
  const breach = rules.breaches({ $ref: '#/$defs/color_scheme' }, value).next();
  return breach.done ? null : breach.value[1];
}
