import type { JsonValue } from '../../paywall.types.js';
import { asText, isObject } from '../document/json-path.js';
import {
  alternativeFor,
  alternativesOf,
  discriminatorOf,
  propertiesOf,
  requiredOf,
  resolved,
  type SchemaNode,
  valuesOf,
} from './document-schema.js';

export interface SchemaProblem {
  /** JSON pointer. */
  path: string;
  message: string;
}

const typeOf = (value: JsonValue): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;

function isOfType(value: JsonValue, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

function scalarProblem(node: SchemaNode, value: JsonValue): string | null {
  const { const: only, enum: values, minimum, maximum, minLength, maxLength, pattern } = node;
  const types = node.type === undefined ? [] : [node.type].flat().map(String);
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return `must be ${types.join(' or ')}`;
  if (only !== undefined && value !== only) return `must be ${JSON.stringify(only)}`;
  if (Array.isArray(values) && !values.includes(value))
    return `must be one of ${values.map(asText).join(', ')}`;
  if (typeof value === 'number' && value < Number(minimum ?? -Infinity))
    return `must be at least ${asText(minimum)}`;
  if (typeof value === 'number' && value > Number(maximum ?? Infinity))
    return `must be at most ${asText(maximum)}`;
  if (typeof value !== 'string') return null;
  if (value.length < Number(minLength ?? 0)) return 'must not be empty';
  if (value.length > Number(maxLength ?? Infinity))
    return `must have at most ${asText(maxLength)} characters`;
  return typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value) ? 'has a wrong form' : null;
}

function alternativeProblem(
  schema: SchemaNode,
  node: SchemaNode,
  value: JsonValue,
  path: string,
): SchemaProblem | null {
  const alternatives = alternativesOf(schema, node);
  const discriminator = discriminatorOf(node);
  if (discriminator === null) {
    const problems = alternatives.map((option) => schemaProblem(schema, option.node, value, path));
    return problems.includes(null) ? null : problems[0]!;
  }
  const found = alternativeFor(schema, node, value);
  if (found) return schemaProblem(schema, found.node, value, path);
  const allowed = alternatives.flatMap((option) => valuesOf(option.node, discriminator)).join(', ');
  return { path: `${path}/${discriminator}`, message: `must be one of ${allowed}` };
}

function partsProblem(
  schema: SchemaNode,
  node: SchemaNode,
  value: JsonValue,
  path: string,
): SchemaProblem | null {
  if (Array.isArray(value)) {
    const { items, minItems, maxItems } = node;
    if (value.length < Number(minItems ?? 0))
      return { path, message: `needs at least ${asText(minItems)} items` };
    if (value.length > Number(maxItems ?? Infinity))
      return { path, message: `has more than ${asText(maxItems)} items` };
    return first(isObject(items) ? value : [], (item, index) =>
      schemaProblem(schema, items as SchemaNode, item, `${path}/${index}`),
    );
  }
  if (!isObject(value)) return null;
  const missing = requiredOf(node).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { path, message: `needs ${missing}` };
  const properties = propertiesOf(node);
  const { additionalProperties: others } = node;
  return first(Object.entries(value), ([name, part]) => {
    const place = `${path}/${name}`;
    const property = properties[name] ?? (isObject(others) ? others : null);
    if (property) return schemaProblem(schema, property, part, place);
    return others === false ? { path: place, message: 'is not a known property' } : null;
  });
}

function first<Item>(
  items: readonly Item[],
  check: (item: Item, index: number) => SchemaProblem | null,
): SchemaProblem | null {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem) return problem;
  }
  return null;
}

/** Returns the first place where a value does not follow the schema, or null. The server checks everything again. */
export function schemaProblem(
  schema: SchemaNode,
  property: SchemaNode,
  value: JsonValue,
  path = '',
): SchemaProblem | null {
  const { node } = resolved(schema, property);
  const message = scalarProblem(node, value);
  if (message !== null) return { path, message };
  if (Array.isArray(node.oneOf)) return alternativeProblem(schema, node, value, path);
  return partsProblem(schema, node, value, path);
}
