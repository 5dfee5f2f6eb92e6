import { readFile } from 'node:fs/promises';
import { isJsonObject } from '../../kernel/index.js';
import { ImportFailed, WrongUsage } from '../command/outcome.js';
import { writeAtomically } from './atomic-write.js';
import type { ImportState, Place } from './state.model.js';

const VERSION = 1;
const PHASES = ['catalog', 'customers', 'catch_up', 'done'];

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}

/**
 * Reads the state; null if there is no file.
 * @throws WrongUsage if it is corrupt or from a newer version; the file stays unchanged
 */
export async function readState(file: string): Promise<ImportState | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw new WrongUsage(`The state file ${file} cannot be read: ${(error as Error).message}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const corrupt = `The state file ${file} is damaged. Name another with --state, or move it away.`;
  if (!isJsonObject(value) || typeof value.version !== 'number') throw new WrongUsage(corrupt);
  if (value.version > VERSION) {
    throw new WrongUsage(
      `The state file ${file} is of a newer version. Use --restart to start again, or --state for another file.`,
    );
  }
  if (!isState(value)) throw new WrongUsage(corrupt);
  return value;
}

function isPlace(value: unknown): value is Place {
  return isJsonObject(value) && typeof value.url === 'string' && typeof value.project === 'string';
}

function isState(value: Record<string, unknown>): value is Record<string, unknown> & ImportState {
  const { catalog, counts, next_page: page, errors, notes, skipped } = value;
  return (
    value.version === VERSION &&
    isPlace(value.source) &&
    isPlace(value.target) &&
    PHASES.includes(String(value.phase)) &&
    typeof value.pass === 'number' &&
    typeof value.pages_done === 'number' &&
    (page === null || typeof page === 'string') &&
    isJsonObject(catalog) &&
    ['apps', 'products', 'entitlements', 'offerings', 'packages', 'currencies'].every((name) =>
      isJsonObject(catalog[name]),
    ) &&
    isJsonObject(counts) &&
    Object.values(counts).every((count) => typeof count === 'number') &&
    [errors, notes, skipped].every(Array.isArray)
  );
}

/** @throws WrongUsage if the state has another source or target; a null project is not known yet */
export function assertStateOf(
  state: ImportState,
  file: string,
  source: { url: string; project: string | null },
  target: { url: string; project: string | null },
): void {
  const differs = (saved: Place, given: { url: string; project: string | null }) =>
    saved.url !== given.url || (given.project !== null && saved.project !== given.project);
  const other = differs(state.source, source) ? 'source' : differs(state.target, target) ? 'target' : null;
  if (other === null) return;
  throw new WrongUsage(
    `The state file ${file} belongs to another ${other}. Use --restart to start again, or --state for another file.`,
  );
}

/** @throws ImportFailed if the file cannot be written */
export async function writeState(file: string, state: ImportState): Promise<void> {
  try {
    await writeAtomically(file, `${JSON.stringify(state)}\n`);
  } catch (error) {
    throw new ImportFailed(`The state file ${file} cannot be written: ${(error as Error).message}`);
  }
}
