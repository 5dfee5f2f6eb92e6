import { canonicalJson, type JsonValue } from '../../../libs/kernel/index.js';
import { recordedValues } from '../../platform/audit/recorded-values.js';

/**
 * Returns `{field: [old, new]}` for the fields that differ, for the audit log. Fields outside `plain` may be secret, so
 * they appear only as `changed`, as do values too large for the log.
 */
export function changesBetween(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  plain: readonly string[],
): Record<string, [JsonValue, JsonValue] | 'changed'> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = names.filter(
    (name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null),
  );
  const values = recordedValues(
    changed
      .filter((name) => plain.includes(name))
      .map((name) => ({ path: name, names: [name], old: before[name], new: after[name] })),
  );
  return Object.fromEntries(
    changed.map((name) => {
      const value = values.get(name);
      return [name, value ? [value.old, value.new] : 'changed'];
    }),
  );
}
