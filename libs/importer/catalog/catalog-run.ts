import { HttpRefusal } from '../http/http-client.js';
import type { CatalogCounts, CatalogReport } from '../report/report.model.js';
import type { SourceApi } from '../source/source-api.js';
import type { CatalogMaps, SkippedItem } from '../state/state.model.js';
import type { TargetApi } from '../target/target-api.js';

export type CatalogKind = keyof CatalogReport;

export function noCatalogCounts(): CatalogReport {
  const none = (): CatalogCounts => ({ created: 0, matched: 0, updated: 0 });
  return {
    apps: none(),
    products: none(),
    entitlements: none(),
    offerings: none(),
    packages: none(),
    virtual_currencies: none(),
  };
}

/** One import of the catalog: where it reads and writes, and what came of it. */
export interface CatalogRun {
  source: SourceApi;
  /** Project at the source. */
  project: string;
  target: TargetApi;
  dryRun: boolean;
  maps: CatalogMaps;
  counts: CatalogReport;
  /** Archived at the source and created here: they are archived when everything that refers to them is made. */
  toArchive: { kind: string; id: string }[];
  skip(item: SkippedItem): void;
}

/** Stands for the id of what a dry run would create. */
export function placeholder(sourceId: string): string {
  return `new:${sourceId}`;
}

export function isPlaceholder(id: string): boolean {
  return id.startsWith('new:');
}

/**
 * Makes an object that has no match here. Another writer may have made it meanwhile: a conflict is looked up again.
 * Returns its id, or null where the target refuses it; the report then says why.
 */
export async function createHere(
  run: CatalogRun,
  kind: CatalogKind,
  object: { id: string; path: string; body: object; isArchived?: boolean },
  findAgain: () => Promise<string | null>,
): Promise<string | null> {
  if (run.dryRun) {
    run.counts[kind].created += 1;
    return placeholder(object.id);
  }
  try {
    const made = await run.target.configure<{ id?: string; code?: string }>(object.path, object.body);
    const id = made.id ?? made.code ?? '';
    run.counts[kind].created += 1;
    if (object.isArchived) run.toArchive.push({ kind: object.path, id });
    return id;
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    const found = error.status === 409 ? await findAgain() : null;
    if (found !== null) run.counts[kind].matched += 1;
    else refused(run, kind, object.id, error);
    return found;
  }
}

/** A change to an object that is here; false where the target refuses it. */
export async function changeHere(
  run: CatalogRun,
  kind: CatalogKind,
  id: string,
  path: string,
  body: object,
): Promise<boolean> {
  if (run.dryRun) return true;
  try {
    await run.target.configure(path, body);
    return true;
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    refused(run, kind, id, error);
    return false;
  }
}

/** A refusal of one object does not end the import; a refused key does. */
function refused(run: CatalogRun, kind: CatalogKind, id: string, error: HttpRefusal): void {
  if (error.status === 401 || error.status === 403) throw error;
  run.skip({ kind, id, reason: error.message });
}

export function isArchived(object: { state?: string }): boolean {
  return object.state === 'inactive';
}
