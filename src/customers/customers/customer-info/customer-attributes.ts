import type { AttributeRow } from '../identity/customer-state.js';

/** An attribute that is not deleted. */
export interface LiveAttribute extends AttributeRow {
  value: string;
}

/** Attributes that are not deleted, sorted by name like their list. */
export function liveAttributes(attributes: readonly AttributeRow[]): LiveAttribute[] {
  return attributes
    .filter((row): row is LiveAttribute => row.value !== null)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Live attributes in the format of SDK answers and events. */
export function attributesByName(
  attributes: readonly AttributeRow[],
): Record<string, { value: string; updated_at_ms: number }> {
  return Object.fromEntries(
    liveAttributes(attributes).map(({ name, value, updatedAtMs }) => [
      name,
      { value, updated_at_ms: updatedAtMs },
    ]),
  );
}
