import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { isJsonObject } from '../../../libs/kernel/index.js';

export type DtoClass = new () => object;

/** How the value of a field is taken from a body, where not as it is. */
interface FieldConversion {
  /** The class of the object, or of the objects in the array. */
  type?: () => DtoClass;
  /** Of an array: what lies beyond is not looked at, except that it is there. */
  maxItems?: number;
}

const conversions = new WeakMap<object, Map<string, FieldConversion>>();
const names = new WeakMap<DtoClass, string[]>();

/** Says how a field is converted. */
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

/** Fields that have a rule, of the class and of those it extends. */
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
    // One more, so that the rule of its size refuses it. Where an object belongs, any array is refused.
    const items: unknown[] = value.slice(0, (maxItems ?? 0) + 1);
    return type ? items.map((item) => converted(item, { type })) : items;
  }
  return type && isJsonObject(value) ? toDto(type(), value) : value;
}

/**
 * An object of a DTO class with its declared fields as a body has them. Others are dropped unseen: the fields of later
 * versions and of other clients must not break a call, nor cost anything. class-transformer gets the texts only: its
 * time is quadratic in the names of an object.
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
