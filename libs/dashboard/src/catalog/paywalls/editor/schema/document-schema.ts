import type { JsonObject, JsonValue } from '../../paywall.types.js';
import { asText, isObject } from '../document/json-path.js';

/** The JSON Schema of documents, or a part of it. */
export type SchemaNode = JsonObject;

export interface Resolved {
  node: SchemaNode;
  /** Name of the definition that the node refers to. */
  definition: string | null;
}

const DEFINITIONS = '#/$defs/';

const objectAt = (node: SchemaNode, name: string): SchemaNode => {
  const value = node[name];
  return isObject(value) ? value : {};
};

export const definitionOf = (schema: SchemaNode, name: string): SchemaNode =>
  objectAt(objectAt(schema, '$defs'), name);

export const propertiesOf = (node: SchemaNode): Record<string, SchemaNode> =>
  objectAt(node, 'properties') as Record<string, SchemaNode>;

export const requiredOf = (node: SchemaNode): readonly string[] =>
  Array.isArray(node.required) ? node.required.map(String) : [];

/** Follows the reference of a node. Keywords beside the reference, such as a default, take precedence. */
export function resolved(schema: SchemaNode, node: SchemaNode): Resolved {
  const { $ref: reference, ...own } = node;
  if (typeof reference !== 'string') return { node, definition: null };
  const definition = reference.slice(DEFINITIONS.length);
  return { node: { ...definitionOf(schema, definition), ...own }, definition };
}

/** The alternatives of a node, in order; empty if there is only one form. */
export const alternativesOf = (schema: SchemaNode, { oneOf }: SchemaNode): Resolved[] =>
  Array.isArray(oneOf) ? oneOf.filter(isObject).map((option) => resolved(schema, option)) : [];

/** The property that tells the alternatives apart; null for alternatives of another type. */
export function discriminatorOf({ discriminator }: SchemaNode): string | null {
  const name = isObject(discriminator) ? discriminator.propertyName : null;
  return typeof name === 'string' ? name : null;
}

/** Returns the values of a discriminator that an alternative has. */
export function valuesOf(alternative: SchemaNode, discriminator: string): string[] {
  const { const: only, enum: values } = objectAt(propertiesOf(alternative), discriminator);
  return Array.isArray(values) ? values.map(String) : [asText(only)];
}

/** Returns the alternative that a value has, or null if it has none. */
export function alternativeFor(
  schema: SchemaNode,
  node: SchemaNode,
  value: JsonValue | undefined,
): Resolved | null {
  const discriminator = discriminatorOf(node);
  if (discriminator === null || !isObject(value)) return null;
  const found = asText(value[discriminator]);
  return (
    alternativesOf(schema, node).find((option) => valuesOf(option.node, discriminator).includes(found)) ??
    null
  );
}

/** Types of components, in the order of the schema. */
export const componentTypes = (schema: SchemaNode): string[] =>
  alternativesOf(schema, definitionOf(schema, 'component')).flatMap(({ definition }) => definition ?? []);

/** Whether the editor shows a definition as a layer: components, and their parts with an id of their own. */
export const isLayer = (schema: SchemaNode, definition: string | null): definition is string =>
  definition !== null &&
  definition !== 'component' &&
  Object.hasOwn(propertiesOf(definitionOf(schema, definition)), 'id');
