import { canonicalJson, isJsonObject } from '../../../libs/kernel/index.js';

export interface FieldChange {
  /** The name in the API; dotted path for a nested field. */
  path: string;
  /** Property names that lead to the field in the entity. */
  names: readonly string[];
  old: unknown;
  new: unknown;
}

/** PostgreSQL cannot read fields of JSON text that contains NUL or an unpaired surrogate. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

function snakeCase(name: string): string {
  return storableText(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Dates have no own fields, so any two would compare as equal. */
const comparable = (value: unknown): unknown => (value instanceof Date ? value.getTime() : (value ?? null));

/** The fields that differ, sorted by path. Null and absent are equal. */
export function fieldChanges(before: object, after: object): FieldChange[] {
  const old = before as Record<string, unknown>;
  const fresh = after as Record<string, unknown>;
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .flatMap((name): FieldChange[] => {
      const [a, b] = [comparable(old[name]), comparable(fresh[name])];
      if (canonicalJson(a) === canonicalJson(b)) return [];
      const path = snakeCase(name);
      if (!isJsonObject(a) || !isJsonObject(b)) return [{ path, names: [name], old: a, new: b }];
      return fieldChanges(a, b).map((inner) => ({
        ...inner,
        path: `${path}.${inner.path}`,
        names: [name, ...inner.names],
      }));
    })
    .sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** Names in the API, sorted; dotted paths for nested fields. */
export function changedFields(before: object, after: object): string[] {
  return fieldChanges(before, after).map(({ path }) => path);
}
