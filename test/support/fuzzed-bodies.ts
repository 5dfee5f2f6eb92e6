import fc from 'fast-check';
import type { OpenAPIObject } from '@nestjs/swagger';
import { NASTY_VALUES } from './fuzz.js';
import type { KnownObjects } from './known-objects.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  example?: unknown;
  format?: string;
  minimum?: number;
}

const MAX_DEPTH = 6;

/** A value that a schema allows, or nearly; ids are those of known objects where the name of the field tells. */
export function plausible(
  document: OpenAPIObject,
  schema: Schema,
  known: KnownObjects,
  name = '',
  depth = 0,
): unknown {
  const inner = (part: Schema, field = name): unknown =>
    depth > MAX_DEPTH ? null : plausible(document, part, known, field, depth + 1);
  if (schema.$ref) {
    const target = document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''];
    return inner(target ?? {});
  }
  const [choice] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
  if (choice) return inner(choice);
  // The example of a whole body leaves fields out.
  if (schema.example !== undefined && !schema.properties) return schema.example;
  if (schema.enum) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([field, part]) => [field, inner(part, field)]),
      );
    case 'array':
      return [inner(schema.items ?? {}, name.replace(/s$/, ''))];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case undefined:
    default:
      return known[name] ?? (schema.format === 'uri' ? 'https://example.com/hook' : 'text');
  }
}

/** Every place in a value, as the way to it. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...placesIn(inner).map((place) => [key, ...place]),
  ]);
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Bodies for a route: what it takes, with one place damaged, and what it never takes. */
export function fuzzedBodies(
  document: OpenAPIObject,
  schema: object | null,
  known: KnownObjects,
): fc.Arbitrary<string | undefined> {
  const sound = schema === null ? {} : plausible(document, schema, known);
  const places = placesIn(sound);
  const text = JSON.stringify(sound);
  const damaged = fc
    .tuple(fc.nat(), fc.constantFrom(...NASTY_VALUES, 'x'.repeat(20_000), undefined))
    .map(([index, value]) =>
      JSON.stringify(replaced(sound, places[index % Math.max(places.length, 1)] ?? [], value)),
    );
  return fc.oneof(
    { weight: 12, arbitrary: damaged },
    { weight: 3, arbitrary: fc.constant(text) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.nat({ max: text.length }).map((end) => text.slice(0, end)) },
    { weight: 1, arbitrary: fc.constantFrom(nested(40), nested(1_500), nested(20_000), '['.repeat(5_000)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('\uFEFF{}', '{"a":1}{"a":2}', '{"__proto__":{"x":1}}', 'NaN', '""', ' '),
    },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}
