import type { ImportAttribute } from '../customer-item.js';
import { epochMilliseconds, objectOf } from './values.js';

/**
 * Reads JSON `{name: {value, updated_at_ms}}` or `{name: value}`. An attribute without its own time gets the default.
 */
export function attributesOf(json: string | null, defaultMs: number): ImportAttribute[] {
  return Object.entries(objectOf(json) ?? {}).flatMap(([name, content]) => {
    if (!isObject(content)) return attribute(name, content, defaultMs);
    const time = content.updated_at_ms ?? content.updated_at;
    return attribute(name, content.value, typeof time === 'number' ? epochMilliseconds(time) : defaultMs);
  });
}

function attribute(name: string, value: unknown, updatedAtMs: number): ImportAttribute[] {
  if (value === null) return [{ name, value: null, updated_at: updatedAtMs }];
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText ? [{ name, value: String(value), updated_at: updatedAtMs }] : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the newest entry of each name. */
export function newestAttributes(attributes: ImportAttribute[]): ImportAttribute[] {
  const newest = new Map<string, ImportAttribute>();
  for (const each of attributes) {
    const known = newest.get(each.name);
    if (!known || each.updated_at >= known.updated_at) newest.set(each.name, each);
  }
  return [...newest.values()];
}
