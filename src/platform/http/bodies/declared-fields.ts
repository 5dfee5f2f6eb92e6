import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { isJsonObject } from '../../../../libs/kernel/index.js';

export type DtoClass = new () => object;

interface FieldConversion {
  /** Class of the object, or of the array's objects. */
  type?: () => DtoClass;
  /** Arrays: items beyond this are not converted, but one extra is kept so that the size rule fails. */
  maxItems?: number;
}

const conversions = new WeakMap<object, Map<string, FieldConversion>>();
const names = new WeakMap<DtoClass, string[]>();

export function Converted(conversion: FieldConversion): PropertyDecorator {
  return (prototype, name) => {
    const own = conversions.get(prototype) ?? new Map<string, FieldConversion>();
    conversions.set(prototype, own.set(String(name), conversion));
  };
}

function conversionOf(type: DtoClass, name: string): FieldConversion {
  let prototype: object | null = type.prototype as object;
  for (; prototype !== null; prototype = Object.getPrototypeOf(prototype) as object | null) {
    const found = conversions.get(prototype)?.get(name);
    if (found) return found;
  }
  return {};
}

/** Fields with a rule, including those of base classes. */
function declaredNames(type: DtoClass): string[] {
  const known = names.get(type);
  if (known) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const found = [...new Set(rules.map(({ propertyName }) => propertyName))];
  names.set(type, found);
  return found;
}

function converted(value: unknown, { type, maxItems }: FieldConversion): unknown {
  if (Array.isArray(value) && (type || maxItems !== undefined)) {
    // Keep one extra item, so that the size rule rejects the array. If an object is expected, any array is rejected.
    const items: unknown[] = value.slice(0, (maxItems ?? 0) + 1);
    return type ? items.map((item) => converted(item, { type })) : items;
  }
  return type && isJsonObject(value) ? toDto(type(), value) : value;
}

/**
 * Builds a DTO from its declared fields only. Others are dropped without inspection: fields of later versions or other
 * clients must neither break a call nor cost time. class-transformer gets only the strings, because its time is
 * quadratic in the number of keys.
 */
export function toDto<T extends object>(type: new () => T, body: Record<string, unknown>): T {
  const texts: Record<string, string> = {};
  const others: Record<string, unknown> = {};
  for (const name of declaredNames(type)) {
    if (!Object.hasOwn(body, name)) continue;
    const value = body[name];
    if (typeof value === 'string') texts[name] = value;
    else others[name] = converted(value, conversionOf(type, name));
  }
  return Object.assign(plainToInstance(type, texts), others);
}

/** Paths by field name: for each name, the objects that declare it. */
type Places = ReadonlyMap<string, readonly string[]>;

/** Derived once for each class, because every body is compared with it. */
interface Shape {
  names: ReadonlySet<string>;
  /** Fields that hold one object, and fields that hold several. */
  objects: readonly [string, DtoClass][];
  lists: readonly [string, DtoClass][];
  /** Names declared by nested objects. */
  within: Places;
}

const shapes = new WeakMap<DtoClass, Shape>();

function shapeOf(type: DtoClass): Shape {
  const known = shapes.get(type);
  if (known) return known;
  const objects: [string, DtoClass][] = [];
  const lists: [string, DtoClass][] = [];
  const within = new Map<string, string[]>();
  for (const name of declaredNames(type)) {
    const { type: inner, maxItems } = conversionOf(type, name);
    if (inner) (maxItems === undefined ? objects : lists).push([name, inner()]);
  }
  for (const [field, inner] of objects) {
    for (const name of declaredNames(inner)) within.set(name, [...(within.get(name) ?? []), field]);
    for (const [name, deeper] of shapeOf(inner).within) {
      within.set(name, [...(within.get(name) ?? []), ...deeper.map((place) => `${field}.${place}`)]);
    }
  }
  const shape = { names: new Set(declaredNames(type)), objects, lists, within };
  shapes.set(type, shape);
  return shape;
}

export interface MisplacedField {
  param: string;
  /** Paths of the objects that declare the field; an empty string for the body itself. */
  places: readonly string[];
}

/** Returns the first misplaced field of an object in an array. An item and the body around it share no fields. */
function misplacedInItems(
  type: DtoClass,
  body: Record<string, unknown>,
  path: readonly string[],
): MisplacedField | null {
  for (const [field, item] of shapeOf(type).lists) {
    const items: unknown = body[field];
    if (!Array.isArray(items)) continue;
    for (const [index, value] of (items as unknown[]).entries()) {
      const found = isJsonObject(value) ? misplacedField(item, value, [...path, field, String(index)]) : null;
      if (found) return found;
    }
  }
  return null;
}

/**
 * Returns the first field that its object does not declare, but an enclosing or nested object does. Ignoring it, like
 * other unknown fields, would report success for a setting that was not saved.
 */
export function misplacedField(
  type: DtoClass,
  body: Record<string, unknown>,
  path: readonly string[] = [],
  around: ReadonlyMap<string, readonly string[]> = new Map(),
): MisplacedField | null {
  const { names: own, objects, within } = shapeOf(type);
  const isMisplaced = ([name]: [string, readonly string[]]) => !own.has(name) && Object.hasOwn(body, name);
  const misplaced = [...around].find(isMisplaced) ?? [...within].find(isMisplaced);
  if (misplaced) return { param: [...path, misplaced[0]].join('.'), places: misplaced[1] };
  const here = path.join('.');
  for (const [field, inner] of objects) {
    const value = body[field];
    if (!isJsonObject(value)) continue;
    const outer = new Map([...around, ...[...own].map((name) => [name, [here]] as const)]);
    const found = misplacedField(inner, value, [...path, field], outer);
    if (found) return found;
  }
  return misplacedInItems(type, body, path);
}
