import { isJsonObject, type JsonObject, type JsonValue } from '../../../../libs/kernel/index.js';
import type { Attribute } from './attribute.js';
import type { AttributePath } from './attribute-path.js';
import type { Comparison, Filter, Literal } from './filter.js';

interface Found {
  value: JsonValue;
  attribute: Attribute | null;
}

function own(object: unknown, name: string): JsonValue | undefined {
  return isJsonObject(object) && Object.hasOwn(object, name) ? (object[name] as JsonValue) : undefined;
}

const listOf = (value: JsonValue | undefined): JsonValue[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** A complex value without a sub-attribute is compared by its `value`. */
function simple(value: JsonValue, attribute: Attribute | null): Found[] {
  if (!isJsonObject(value)) return [{ value, attribute }];
  const inner = own(value, 'value');
  const of = attribute?.subAttributes?.find(({ name }) => name === 'value') ?? null;
  return inner === undefined ? [] : [{ value: inner, attribute: of }];
}

/** Returns the value of an attribute, or the whole extension if the path names no attribute. */
export function valueAt(resource: JsonObject, path: AttributePath): JsonValue | undefined {
  const holder = path.extension === null ? resource : own(resource, path.extension);
  return path.name === null ? holder : own(holder, path.name);
}

function found(resource: JsonObject, path: AttributePath): Found[] {
  const values = listOf(valueAt(resource, path));
  const { sub, attribute, subAttribute } = path;
  if (sub === null) return values.flatMap((value) => simple(value, attribute));
  return values.flatMap((value) =>
    listOf(own(value, sub)).map((inner) => ({ value: inner, attribute: subAttribute })),
  );
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return isJsonObject(value) && Object.values(value).every((inner) => isEmpty(inner));
}

function isPresent(resource: JsonObject, path: AttributePath): boolean {
  if (path.sub === null) return !isEmpty(valueAt(resource, path));
  return found(resource, path).some(({ value }) => !isEmpty(value));
}

/** Entra ID compares booleans with the strings "True" and "False". */
function literalFor(stored: JsonValue, literal: Literal): Literal {
  if (typeof stored !== 'boolean' || typeof literal !== 'string') return literal;
  const text = literal.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : literal;
}

function fold(text: string, attribute: Attribute | null): string {
  return attribute?.caseExact ? text : text.toLowerCase();
}

function compares<T>(operator: Comparison, left: T, right: T): boolean {
  if (operator === 'eq') return left === right;
  if (operator === 'gt') return left > right;
  if (operator === 'ge') return left >= right;
  if (operator === 'lt') return left < right;
  return operator === 'le' && left <= right;
}

function holds({ value, attribute }: Found, operator: Comparison, given: Literal): boolean {
  const literal = literalFor(value, given);
  if (typeof value !== typeof literal) return false;
  if (typeof value !== 'string' || typeof literal !== 'string') return compares(operator, value, literal);
  if (operator === 'co' || operator === 'sw' || operator === 'ew') {
    const [left, right] = [fold(value, attribute), fold(literal, attribute)];
    if (operator === 'co') return left.includes(right);
    return operator === 'sw' ? left.startsWith(right) : left.endsWith(right);
  }
  if (attribute?.type === 'dateTime') return compares(operator, Date.parse(value), Date.parse(literal));
  return compares(operator, fold(value, attribute), fold(literal, attribute));
}

function isEqual(resource: JsonObject, path: AttributePath, value: Literal): boolean {
  if (value === null) return !isPresent(resource, path);
  return found(resource, path).some((candidate) => holds(candidate, 'eq', value));
}

/**
 * Whether a resource matches. One matching value is enough. `ne` is the opposite of `eq`, and holds for an attribute
 * without a value.
 */
export function matches(resource: JsonObject, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(resource, part));
    case 'or':
      return filter.parts.some((part) => matches(resource, part));
    case 'not':
      return !matches(resource, filter.part);
    case 'present':
      return filter.path !== null && isPresent(resource, filter.path);
    case 'compare': {
      const { path, operator, value } = filter;
      if (path === null) return false;
      if (operator === 'eq') return isEqual(resource, path, value);
      if (operator === 'ne') return !isEqual(resource, path, value);
      return found(resource, path).some((candidate) => holds(candidate, operator, value));
    }
    case 'element': {
      const { path, filter: inner } = filter;
      return (
        path !== null &&
        listOf(valueAt(resource, path)).some((element) => elementMatches(element, path, inner))
      );
    }
  }
}

/** Whether an element of the list at `path` matches a filter whose paths start at the element. */
export function elementMatches(element: JsonValue, path: AttributePath, filter: Filter): boolean {
  const alone: JsonObject = path.name === null ? {} : { [path.name]: element };
  return matches(path.extension === null ? alone : { [path.extension]: alone }, filter);
}
