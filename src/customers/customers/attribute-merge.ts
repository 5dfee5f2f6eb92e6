import { type AttributeRow, type AttributeSource, attributeSources } from './customer-state.js';
import { isBackendName, isReservedName, isWriteOnce, MAX_CUSTOM_ATTRIBUTES } from './attribute-names.js';

/** One checked write. A null value deletes. */
export interface AttributeInput {
  name: string;
  value: string | null;
  /** Epoch ms, as the device says; null: now. */
  updatedAtMs: number | null;
}

export interface AttributeWriter {
  source: AttributeSource;
  /** The write counts although a newer one is there: a backend means what it says. */
  overrules: boolean;
  nowMs: number;
}

export interface MergedAttributes {
  /** All attributes afterwards, deleted ones too. */
  rows: AttributeRow[];
  changed: AttributeRow[];
  /** Names whose deletion is not remembered any longer: there are too many. */
  forgotten: string[];
  /** Names that were refused because the customer has too many attributes. */
  tooMany: string[];
}

const MAX_CLOCK_LEAD_MS = 24 * 3_600_000;

/** A device clock far in the future must not win for ever. */
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
  // Of two writes with the same time the later arrival wins, but a device's repeat does not undo a backend's write.
  return trustIn(fresh.source) >= trustIn(stored.source);
}

function trustIn(source: AttributeSource): number {
  return attributeSources.indexOf(source);
}

/** A value that a trusted writer set stays trusted when another one repeats it. */
function sourceOf(input: AttributeInput, stored: AttributeRow | undefined, { source }: AttributeWriter) {
  const isRepeated = stored?.value === input.value && trustIn(stored.source) > trustIn(source);
  return isRepeated ? stored.source : source;
}

function isCustom({ name }: AttributeRow): boolean {
  return !isReservedName(name);
}

/** Custom attributes deleted longest ago, beyond what is remembered. */
function forgettable(rows: Iterable<AttributeRow>): string[] {
  return [...rows]
    .filter((row) => isCustom(row) && row.value === null)
    .sort((a, b) => b.updatedAtMs - a.updatedAtMs || (a.name < b.name ? -1 : 1))
    .slice(MAX_CUSTOM_ATTRIBUTES)
    .map(({ name }) => name);
}

/**
 * Takes writes into a customer's attributes: of each attribute the newer value stays, deletions first, so that
 * they make room. Pure. Of two writes of one name in `inputs` the later one counts.
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
    // The same write again (a retry, a second device) changes nothing.
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
