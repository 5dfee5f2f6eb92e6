import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../../libs/kernel/index.js';
import type { Attribute } from './attribute.js';
import type { Filter } from './filter.js';
import { elementMatches } from './filter-evaluation.js';
import type { PatchOperation } from './patch-body.js';
import type { PatchPath } from './patch-path.js';
import { scimError } from './scim-error.js';
import { assertOnePrimary, elementOf, valueOf } from './values.js';

/** An operation on a multi-valued attribute whose elements are objects. */
interface ListChange {
  op: PatchOperation['op'];
  path: PatchPath;
  attribute: Attribute;
  value: unknown;
}

const isElement = (value: JsonValue): value is JsonObject => isJsonObject(value);

/** Elements with the same value and type. Adding one again changes at most its other parts. */
function isSameElement(a: JsonObject, b: JsonObject): boolean {
  if (a.value === undefined) return isSameJson(a, b);
  return a.value === b.value && (a.type ?? null) === (b.type ?? null);
}

/** Returns the element that a filter of `eq`s joined by `and` describes; null for any other filter. */
function impliedBy(filter: Filter): JsonObject | null {
  if (filter.kind === 'and') {
    const parts = filter.parts.map(impliedBy);
    return parts.includes(null) ? null : (Object.assign({}, ...parts) as JsonObject);
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || !filter.path?.subAttribute) return null;
  const value = valueOf(filter.path.subAttribute, filter.value);
  return value === undefined ? null : { [filter.path.subAttribute.name]: value };
}

/** A new primary element replaces the previous one (RFC 7644, 3.5.2). */
function withOnePrimary(list: JsonObject[], changed: ReadonlySet<JsonObject>): void {
  if (![...changed].some(({ primary }) => primary === true)) return;
  for (const element of list) if (!changed.has(element)) delete element.primary;
}

function setPart(element: JsonObject, part: Attribute, value: unknown): void {
  const stored = valueOf(part, value);
  if (stored === undefined) delete element[part.name];
  else element[part.name] = stored;
}

/** Entra ID lists the elements to remove in the value instead of a filter. */
function without(list: JsonObject[], { attribute, value }: ListChange): JsonObject[] {
  if (value === undefined || value === null) return [];
  const removed = ((valueOf({ ...attribute, multiValued: true }, value) ?? []) as JsonValue[]).filter(
    isElement,
  );
  return list.filter((element) => {
    const isNamed = (other: JsonObject): boolean =>
      other.value === undefined ? isSameJson(other, element) : other.value === element.value;
    return !removed.some(isNamed);
  });
}

function removed(list: JsonObject[], change: ListChange): JsonObject[] {
  const { filter, subAttribute } = change.path;
  const isMeant = (element: JsonObject): boolean =>
    filter === null || elementMatches(element, change.path, filter);
  if (subAttribute) {
    for (const element of list) if (isMeant(element)) delete element[subAttribute.name];
    return list;
  }
  return filter === null ? without(list, change) : list.filter((element) => !isMeant(element));
}

function withAdded(list: JsonObject[], added: JsonObject[]): JsonObject[] {
  const result = [...list];
  const changed = new Set<JsonObject>();
  for (const element of added) {
    const known = result.find((other) => isSameElement(element, other));
    if (known) Object.assign(known, element);
    else result.push(element);
    changed.add(known ?? element);
  }
  withOnePrimary(result, changed);
  return result;
}

function setElements(list: JsonObject[], change: ListChange): JsonObject[] {
  const { op, attribute, value, path } = change;
  const { filter, subAttribute } = path;
  if (filter === null && !subAttribute) {
    const given = ((valueOf(attribute, value) ?? []) as JsonValue[]).filter(isElement);
    return op === 'replace' ? given : withAdded(list, given);
  }
  const result = [...list];
  const implied = filter === null ? {} : impliedBy(filter);
  const meant = result.filter((element) => filter === null || elementMatches(element, path, filter));
  if (meant.length === 0) {
    if (!implied) throw scimError('noTarget', 'The filter of the path matches nothing.');
    if (value === null) return result;
    const element = { ...implied };
    result.push(element);
    meant.push(element);
  }
  if (subAttribute) for (const element of meant) setPart(element, subAttribute, value);
  else {
    const [given] = Array.isArray(value) && value.length === 1 ? (value as unknown[]) : [value];
    const stored = elementOf(attribute, given);
    for (const element of meant) {
      if (op === 'replace') for (const name of Object.keys(element)) delete element[name];
      Object.assign(element, stored === undefined ? {} : { ...implied, ...(stored as JsonObject) });
    }
  }
  withOnePrimary(result, new Set(meant));
  return result;
}

/** Changes the elements of `list`. Returns undefined if none remain. @throws ApiError 400 */
export function changedList(list: JsonValue | undefined, change: ListChange): JsonObject[] | undefined {
  const elements = (Array.isArray(list) ? list : []).filter(isElement);
  const result = change.op === 'remove' ? removed(elements, change) : setElements(elements, change);
  const left = result.filter((element) => Object.keys(element).length > 0);
  assertOnePrimary(change.attribute.name, left);
  return left.length === 0 ? undefined : left;
}
