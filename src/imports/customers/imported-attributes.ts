import { isReservedName, isSdkName } from '../../customers/customers/identity/attribute-names.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { hasLength } from '../../platform/http/bodies/text-length.js';
import type { ChangeBuilder } from '../../purchases/recording/change-builder.js';
import type { ImportedAttributeDto } from './customer-import.dto.js';
import type { ImportNotes } from './import-notes.js';

const MAX_VALUE_LENGTH = 500;

function problemOf({ name, value }: ImportedAttributeDto): string | null {
  if (!isReservedName(name) && !isSdkName(name)) return 'its name is not valid';
  if (value !== null && !hasLength(value, 0, MAX_VALUE_LENGTH))
    return `its value is longer than ${MAX_VALUE_LENGTH}`;
  return null;
}

/** Merges attributes as if an SDK had set them at their own times. If there are too many, the newest stay. */
export function addAttributes(
  change: ChangeBuilder,
  customer: CustomerRow,
  attributes: readonly ImportedAttributeDto[],
  nowMs: number,
  notes: ImportNotes,
): void {
  if (attributes.length === 0) return;
  const valid = attributes.filter((attribute, index) => {
    const problem = problemOf(attribute);
    if (problem !== null) notes.add(`attributes.${index}`, `left out: ${problem}`);
    return problem === null;
  });
  const inputs = valid
    .toSorted((a, b) => b.updated_at - a.updated_at)
    .map(({ name, value, updated_at: updatedAtMs }) => ({ name, value, updatedAtMs }));
  // The first entry of a name is its newest; of equal names the last one counts.
  const newest = inputs.filter(
    ({ name }, index) => inputs.findIndex((other) => other.name === name) === index,
  );
  const writer = { source: 'sdk', overrules: false, nowMs } as const;
  const refused = change.mergeAttributes(customer, newest, writer);
  if (refused.length > 0) notes.add('attributes', `${refused.length} left out: the customer has too many`);
}
