import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject, PaywallDocument } from '../../paywall.types.js';
import type { SchemaNode } from '../schema/document-schema.js';

const library = new URL('../../../../../../paywalls/', import.meta.url);
const read = (path: string): JsonObject =>
  JSON.parse(readFileSync(new URL(path, library), 'utf8')) as JsonObject;

/** The schema that the server has. */
export const schema: SchemaNode = read('paywall-document.schema.json');

/** A document with every type of component. */
export const example = read('testing/paywall-example.json') as unknown as PaywallDocument & JsonObject;

let validate: ValidateFunction | undefined;

/** Checks a whole document as the server does, and returns the first problem. */
export function firstProblem(document: PaywallDocument): string | null {
  validate ??= new Ajv2020({
    discriminator: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
  }).compile(schema);
  if (validate(document)) return null;
  const { instancePath, message } = validate.errors![0]!;
  return `${instancePath} ${message}`;
}

/** A screen with these components. */
export const screenWith = (
  components: JsonObject[],
  texts: Record<string, string> = {},
): PaywallDocument & JsonObject => ({
  ...example,
  default_locale: 'en_US',
  components_config: { base: { ...emptyBase, stack: { ...emptyBase.stack, components } } },
  components_localizations: { en_US: texts, de_DE: {} },
});

const none = { top: 0, bottom: 0, leading: 0, trailing: 0 };
const emptyBase = {
  background: { type: 'color', value: { light: { type: 'hex', value: '#ffffff' } } },
  stack: {
    type: 'stack',
    id: 'root',
    size: { width: { type: 'fill' }, height: { type: 'fit' } },
    dimension: { type: 'vertical', alignment: 'center', distribution: 'start' },
    spacing: 0,
    padding: none,
    margin: none,
  },
} satisfies JsonObject;
