import { isJsonObject, type JsonObject, type JsonValue } from '../../../../libs/kernel/index.js';
import { hasLength } from '../../../platform/http/bodies/text-length.js';
import { type Attribute, attributeNamed, isUnsafeName } from './attribute.js';
import { coreAttribute, extensionOf, isUrn, type ResourceType } from './resource-type.js';
import { scimError } from './scim-error.js';

/** Attributes with an index, whose entries have a maximum size. */
const INDEXED = new Set(['userName', 'externalId', 'displayName', 'emails.value']);
const INDEXED_MAX = 500;

function wrong(where: string, wanted: string): Error {
  return scimError('invalidValue', `${where} must be ${wanted}.`);
}

/**
 * @throws ApiError 400 invalidSyntax for a name, at any depth, that has a meaning on every JavaScript object;
 * invalidValue for a string that PostgreSQL cannot store
 */
export function assertStorable(value: unknown): void {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    throw scimError('invalidValue', 'The body contains a character that cannot be stored.');
  if (Array.isArray(value)) value.forEach(assertStorable);
  else if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (isUnsafeName(name)) throw scimError('invalidSyntax', `${name} is not allowed as a name.`);
      assertStorable(name);
      assertStorable(inner);
    }
  }
}

/**
 * Removes nulls, empty lists and empty objects, which mean "no value" (RFC 7643, 2.5). Returns undefined if nothing
 * remains.
 */
export function pruned(value: unknown): JsonValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const kept = value.map(pruned).filter((inner) => inner !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return value as JsonValue;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const kept = pruned(inner);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Entra ID sends "True" and "False". */
function booleanOf(value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : null;
  if (text !== 'true' && text !== 'false') throw wrong(where, 'true or false');
  return text === 'true';
}

function textOf(value: unknown, where: string): string {
  if (typeof value !== 'string') throw wrong(where, 'a text');
  if (INDEXED.has(where) && !hasLength(value, 0, INDEXED_MAX))
    throw wrong(where, `at most ${INDEXED_MAX} characters long`);
  return value;
}

/** Keeps known sub-attributes. Entra ID sends managers as a string, which means an object with that `value`. */
function complexOf(attribute: Attribute, value: unknown, where: string): JsonObject | undefined {
  const parts = attribute.subAttributes ?? [];
  if (typeof value === 'string' && attributeNamed(parts, 'value'))
    return complexOf(attribute, { value }, where);
  if (!isJsonObject(value)) throw wrong(where, 'an object');
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const part = attributeNamed(parts, name);
    const kept = part && oneOf(part, inner, `${where}.${part.name}`);
    return part && kept !== null && kept !== undefined ? [[part.name, kept] as const] : [];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Parses one value, including an element of a multi-valued attribute. */
function oneOf(attribute: Attribute, value: unknown, where: string): JsonValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (attribute.type === 'complex') return complexOf(attribute, value, where);
  return attribute.type === 'boolean' ? booleanOf(value, where) : textOf(value, where);
}

/** Parses one element of a list. @throws ApiError 400 invalidValue */
export function elementOf(attribute: Attribute, value: unknown): JsonValue | undefined {
  return oneOf(attribute, value, attribute.name);
}

/** @throws ApiError 400 invalidValue if several elements are primary */
export function assertOnePrimary(name: string, elements: readonly JsonValue[]): void {
  const primary = elements.filter((element) => isJsonObject(element) && element.primary === true);
  if (primary.length > 1) throw scimError('invalidValue', `Only one of ${name} can be primary.`);
}

/** Returns the value to store; undefined for "no value". @throws ApiError 400 invalidValue */
export function valueOf(attribute: Attribute, value: unknown, where = attribute.name): JsonValue | undefined {
  if (!attribute.multiValued) return oneOf(attribute, value, where);
  if (value === null || value === undefined) return undefined;
  const elements = (Array.isArray(value) ? value : [value])
    .map((element: unknown) => oneOf(attribute, element, where))
    .filter((element) => element !== undefined);
  assertOnePrimary(attribute.name, elements);
  return elements.length === 0 ? undefined : elements;
}

/** Attributes that clients may send but cannot set. */
export function isIgnored({ mutability, returned }: Attribute): boolean {
  return mutability === 'readOnly' || returned === 'never';
}

function attributesOf(attributes: readonly Attribute[], body: Record<string, unknown>): JsonObject {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    const attribute = attributeNamed(attributes, name);
    if (!attribute || isIgnored(attribute)) continue;
    const stored = valueOf(attribute, value);
    if (stored !== undefined) kept[attribute.name] = stored;
  }
  return kept;
}

/**
 * Returns the part of a client's resource that is stored: attributes of the core schema and of known extensions in the
 * schema's spelling, and other extensions as sent, without attributes that the server sets.
 * @throws ApiError 400 invalidSyntax or invalidValue
 */
export function resourceOf(type: ResourceType, body: unknown): JsonObject {
  if (!isJsonObject(body)) throw scimError('invalidSyntax', 'The body must be a JSON object.');
  assertStorable(body);
  const kept = attributesOf(type.attributes, body);
  for (const [name, value] of Object.entries(body)) {
    if (!isUrn(name) || coreAttribute(type, name)) continue;
    if (name.toLowerCase() === type.core.id.toLowerCase()) {
      if (isJsonObject(value)) Object.assign(kept, attributesOf(type.core.attributes, value));
      continue;
    }
    const extension = extensionOf(type, name);
    if (extension && value !== null && !isJsonObject(value)) throw wrong(extension.id, 'an object');
    const stored = extension && isJsonObject(value) ? attributesOf(extension.attributes, value) : value;
    const left = pruned(stored);
    if (left !== undefined) kept[extension?.id ?? name] = left;
  }
  return kept;
}

/** @throws ApiError 400 invalidValue if a required attribute has no value */
export function assertComplete(type: ResourceType, resource: JsonObject): void {
  for (const { name } of type.attributes.filter(({ required }) => required)) {
    const value = resource[name];
    if (typeof value !== 'string' || value.trim() === '')
      throw scimError('invalidValue', `${name} is required and must not be empty.`);
  }
}
