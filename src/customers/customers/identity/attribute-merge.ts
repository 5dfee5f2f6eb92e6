import { type AttributeRow, type AttributeSource, attributeSources } from './customer-state.js';
import { isBackendName, isReservedName, isWriteOnce, MAX_CUSTOM_ATTRIBUTES } from './attribute-names.js';

/** One validated write. A null value deletes the attribute. */
export interface AttributeInput {
  name: string;
  value: string | null;
  /** Epoch ms, as reported by the device; null: now. */
  updatedAtMs: number | null;
}

export interface AttributeWriter {
  source: AttributeSource;
  /** The write replaces even a newer value: backends overrule devices. */
  overrules: boolean;
  nowMs: number;
}

export interface MergedAttributes {
  /** All attributes after the merge, including deleted ones. */
  rows: AttributeRow[];
  changed: AttributeRow[];
  /** Names whose deletion markers are dropped because there are too many. */
  forgotten: string[];
  /** Names rejected because the customer has too many attributes. */
  tooMany: string[];
}

const MAX_CLOCK_LEAD_MS = 24 * 3_600_000;

/** A value from a device clock far in the future must not win forever. */
function stampOf(input: AttributeInput, { nowMs }: AttributeWriter): number {
  const stamp = input.updatedAtMs ?? nowMs;
  return stamp > nowMs + MAX_CLOCK_LEAD_MS ? nowMs : Math.max(stamp, 0);
}

function wins(fresh: AttributeRow, stored: AttributeRow | undefined, writer: AttributeWriter): boolean {
  if (!stored || writer.overrules) return true;
  if (isBackendName(fresh.name) && (writer.source === 'api') !== (stored.source === 'api')) {
    return writer.source === 'api';
  }
  if (writer.source !== 'api' && isWriteOnce(fresh.name) && stored.value !== null) return false;
  if (fresh.updatedAtMs !== stored.updatedAtMs) return fresh.updatedAtMs > stored.updatedAtMs;
  // If two writes have the same time, the later arrival wins, but a device's repeat does not undo a backend's write.
  return trustIn(fresh.source) >= trustIn(stored.source);
}

function trustIn(source: AttributeSource): number {
  return attributeSources.indexOf(source);
}

/** A value set by a trusted writer stays trusted if another writer repeats it. */
function sourceOf(input: AttributeInput, stored: AttributeRow | undefined, { source }: AttributeWriter) {
  const isRepeated = stored?.value === input.value && trustIn(stored.source) > trustIn(source);
  return isRepeated ? stored.source : source;
}

function isCustom({ name }: AttributeRow): boolean {
  return !isReservedName(name);
}

/** The custom attributes that were deleted longest ago, beyond the limit of deletion markers. */
function forgettable(rows: Iterable<AttributeRow>): string[] {
  return [...rows]
    .filter((row) => isCustom(row) && row.value === null)
    .sort((a, b) => b.updatedAtMs - a.updatedAtMs || (a.name < b.name ? -1 : 1))
    .slice(MAX_CUSTOM_ATTRIBUTES)
    .map(({ name }) => name);
}

/**
 * Merges writes into a customer's attributes. The newer value of each attribute wins. Deletions come first, to free
 * space for new attributes. If `inputs` contains a name twice, the later write counts. Pure.
 */
export function mergeAttributes(
  stored: readonly AttributeRow[],
  inputs: readonly AttributeInput[],
  writer: AttributeWriter,
): MergedAttributes {
  const rows = new Map(stored.map((row) => [row.name, row]));
  const changed = new Map<string, AttributeRow>();
  const tooMany: string[] = [];
  const unique = new Map(inputs.map((input) => [input.name, input]));
  const ordered = [...unique.values()].sort((a, b) => Number(a.value !== null) - Number(b.value !== null));
  let live = [...rows.values()].filter((row) => isCustom(row) && row.value !== null).length;
  for (const input of ordered) {
    const known = rows.get(input.name);
    const stamp = Math.max(stampOf(input, writer), writer.overrules ? (known?.updatedAtMs ?? 0) : 0);
    const { name, value } = input;
    const fresh = { name, value, updatedAtMs: stamp, source: sourceOf(input, known, writer) };
    if (!wins(fresh, known, writer)) continue;
    if (isCustom(fresh)) {
      const grows = Number(fresh.value !== null) - Number((known?.value ?? null) !== null);
      if (grows > 0 && live >= MAX_CUSTOM_ATTRIBUTES) {
        tooMany.push(fresh.name);
        continue;
      }
      live += grows;
    }
    // A repeated write (a retry, a second device) changes nothing.
    const isSame = known?.value === fresh.value && known.updatedAtMs === fresh.updatedAtMs;
    if (isSame && known.source === fresh.source) continue;
    rows.set(fresh.name, fresh);
    changed.set(fresh.name, fresh);
  }
  const forgotten = forgettable(rows.values());
  for (const name of forgotten) {
    rows.delete(name);
    changed.delete(name);
  }
  return { rows: [...rows.values()], changed: [...changed.values()], forgotten, tooMany };
}
