import fc from 'fast-check';
import type { JsonObject } from '../../kernel/index.js';
import type { Schema } from '../document/schema-rules.js';
import { paywallDocumentSchema } from '../document/schema.js';
import { exampleDocument } from './context.js';

const { $defs: definitions } = paywallDocumentSchema;
const MAX_DEPTH = 4;

/** Components that need no others; they end the recursion. */
const leaves: Schema[] = ['text', 'image', 'icon', 'tab_control', 'tab_control_toggle'].map((name) => ({
  $ref: `#/$defs/${name}`,
}));

const samples = new Map<string, string[]>();

function samplesOf(pattern: string): string[] {
  let known = samples.get(pattern);
  if (!known) {
    known = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 40, seed: 1 });
    samples.set(pattern, known);
  }
  return known;
}

/** A document that the schema should accept, made from the schema and a seed. */
export function generatedDocument(seed: number): unknown {
  let state = seed >>> 0;
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (limit: number): number => Math.floor(random() * (limit + 1));
  const pick = <Item>(items: readonly Item[]): Item => items[upTo(items.length - 1)] as Item;

  function text({ pattern, minLength = 0, maxLength = 20 }: Schema): string {
    if (pattern !== undefined) return pick(samplesOf(pattern)).slice(0, maxLength);
    return 'Text {{ product.price }} '.slice(0, Math.max(minLength, upTo(Math.min(maxLength, 20))));
  }

  function numeric({ type, minimum = -1000, maximum = 1000 }: Schema): number {
    const value = minimum + random() * (maximum - minimum);
    return type === 'integer' || random() < 0.5 ? Math.round(value) : value;
  }

  function object(schema: Schema, depth: number): Record<string, unknown> {
    const { properties = {}, required = [], additionalProperties, minProperties = 0, propertyNames } = schema;
    const names = Object.keys(properties).filter((name) => required.includes(name) || random() < 0.3);
    if (names.length < minProperties) names.push(...Object.keys(properties).slice(0, minProperties));
    const entries = names.map((name): [string, unknown] => [name, value(properties[name] ?? {}, depth)]);
    if (!additionalProperties) return Object.fromEntries(entries);
    const keys = Array.from({ length: Math.max(minProperties, upTo(3)) }, () =>
      text(propertyNames?.$ref ? resolved(propertyNames) : (propertyNames ?? {})),
    );
    return Object.fromEntries([
      ...entries,
      ...keys.map((key): [string, unknown] => [key, value(additionalProperties, depth)]),
    ]);
  }

  function resolved({ $ref = '' }: Schema): Schema {
    return definitions[$ref.slice('#/$defs/'.length)] ?? {};
  }

  function value(schema: Schema, depth: number): unknown {
    if (schema.$ref === '#/$defs/component' && depth <= 0) return value(pick(leaves), depth);
    if (schema.$ref !== undefined)
      return value(resolved(schema), depth - (/component|stack/.test(schema.$ref) ? 1 : 0));
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    if (schema.oneOf) return value(pick(schema.oneOf), depth);
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type;
    if (type === 'object') return object(schema, depth);
    if (type === 'boolean') return random() < 0.5;
    if (type === 'string') return text(schema);
    if (type !== 'array') return numeric(schema);
    const { minItems = 0, maxItems = 3, items = {} } = schema;
    const count = depth <= 0 ? minItems : Math.max(minItems, upTo(Math.min(maxItems, 3)));
    return Array.from({ length: count }, () => value(items, depth));
  }

  return object(paywallDocumentSchema, MAX_DEPTH);
}

function objectsOf(value: unknown): JsonObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.values(value).flatMap(objectsOf);
  return Array.isArray(value) ? parts : [value as JsonObject, ...parts];
}

const values = [null, true, -1, 0.5, 7, '', 'text', [], {}];

/** The example with one key removed or changed. */
export const changedExamples = fc
  .record({ place: fc.nat({ max: 100_000 }), value: fc.constantFrom(...values, undefined) })
  .map(({ place, value }) => {
    const document = exampleDocument();
    const holders = objectsOf(document);
    const holder = holders[place % holders.length] ?? {};
    const keys = Object.keys(holder);
    const key = keys[place % keys.length] ?? 'extra';
    if (value === undefined) delete holder[key];
    else holder[key] = value;
    return document;
  });
