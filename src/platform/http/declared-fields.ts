import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { isJsonObject } from '../../../libs/kernel/index.js';

export type DtoClass = new () => object;

interface FieldConversion {
  /** Class of the object, or of the array's objects. */
  type?: () => DtoClass;
  /** Arrays: items beyond this are not converted, but the size rule still sees that there are more. */
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

/** Fields with a rule, of the class and its base classes. */
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
    // One item more, so that the size rule rejects the array. Where an object belongs, the rule rejects any array.
    const items: unknown[] = value.slice(0, (maxItems ?? 0) + 1);
    return type ? items.map((item) => converted(item, { type })) : items;
  }
  return type && isJsonObject(value) ? toDto(type(), value) : value;
}

/**
 * Builds a DTO from its declared fields only. Others are dropped without a look: fields of later versions or
 * other clients must neither break a call nor cost time. class-transformer gets only the texts, because its time
 * is quadratic in the number of keys.
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
