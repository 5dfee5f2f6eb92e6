import { canonicalJson } from '../../../libs/kernel/index.js';

/** `{field: [old, new]}` of the fields that differ, for the audit log. Values of `secrets` are replaced. */
export function changesBetween(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  secrets: readonly string[] = [],
): Record<string, [unknown, unknown] | 'changed'> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    names.flatMap((name) => {
      const [old = null, fresh = null] = [before[name], after[name]];
      if (canonicalJson(old) === canonicalJson(fresh)) return [];
      return [[name, secrets.includes(name) ? ('changed' as const) : ([old, fresh] as [unknown, unknown])]];
    }),
  );
}
