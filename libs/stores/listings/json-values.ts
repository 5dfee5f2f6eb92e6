import { isJsonObject } from '../../kernel/index.js';

export type JsonRecord = Record<string, unknown>;

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function objectOf(value: unknown): JsonRecord {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; anything else is left out. */
export function objectsOf(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
