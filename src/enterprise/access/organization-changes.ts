import { canonicalJson, type JsonValue } from '../../../libs/kernel/index.js';
import { recordedValues } from '../../platform/audit/recorded-values.js';

/**
 * `{field: [old, new]}` of the fields that differ, for the audit log. A field outside of `plain` may be secret, so it is
 * only `changed`, and so is a value that the log has no room for.
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
