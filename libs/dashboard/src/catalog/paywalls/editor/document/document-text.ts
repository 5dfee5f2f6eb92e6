import type { JsonObject, PaywallDocument } from '../../paywall.types.js';
import { schemaProblem } from '../schema/check.js';
import { propertiesOf, type SchemaNode } from '../schema/document-schema.js';
import { isObject } from './json-path.js';

/** Fields that the editor changes. Others, such as the id, belong to the paywall. */
const required = ['default_locale', 'components_config', 'components_localizations'] as const;
const optional = ['exit_offers', 'state_declarations', 'play_store_product_change_mode'] as const;

/** Returns the document in a JSON text that `documentProblem` accepts. */
export function parsedDocument(text: string): PaywallDocument {
  const value = JSON.parse(text) as JsonObject;
  const names = [...required, ...optional].filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(names.map((name) => [name, value[name]])) as unknown as PaywallDocument;
}

/** Returns why a text cannot be the document, or null. */
export function documentProblem(schema: SchemaNode, text: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
  if (!isObject(value)) return 'The document must be an object.';
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `The document needs ${missing}.`;
  const properties = propertiesOf(schema);
  for (const [name, part] of Object.entries(parsedDocument(text))) {
    const problem = schemaProblem(schema, properties[name] ?? {}, part as JsonObject, `/${name}`);
    if (problem) return `${problem.path} ${problem.message}.`;
  }
  const { default_locale: locale, components_localizations: texts } = parsedDocument(text);
  return Object.hasOwn(texts, locale) ? null : `components_localizations needs ${locale}.`;
}
