import { canonicalJson, isJsonObject } from '../../../libs/kernel/index.js';

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Wire names, sorted; nested fields as dotted paths. Names only: values may be secret. */
export function changedFields(before: object, after: object): string[] {
  const old = before as Record<string, unknown>;
  const fresh = after as Record<string, unknown>;
  const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  return [...names]
    .flatMap((name) => {
      const [a, b] = [old[name], fresh[name]];
      if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return [];
      if (isJsonObject(a) && isJsonObject(b)) {
        return changedFields(a, b).map((path) => `${snakeCase(name)}.${path}`);
      }
      return [snakeCase(name)];
    })
    .sort();
}
