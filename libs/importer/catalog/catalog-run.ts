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

/** One import of the catalog: its source, target and results. */
export interface CatalogRun {
  source: SourceApi;
  /** Project id at the source. */
  project: string;
  target: TargetApi;
  dryRun: boolean;
  maps: CatalogMaps;
  counts: CatalogReport;
  /**
   * Objects archived at the source and created here. They are archived after everything that refers to them is created.
   */
  toArchive: { kind: string; id: string }[];
  skip(item: SkippedItem): void;
}

/** Placeholder for the id of an object that a dry run would create. */
export function placeholder(sourceId: string): string {
  return `new:${sourceId}`;
}

export function isPlaceholder(id: string): boolean {
  return id.startsWith('new:');
}

/**
 * Creates an object that has no match here. On a conflict, looks for one that another writer created in the meantime.
 * Returns its id, or null if the target refuses it; the report then contains the reason.
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

/** Changes an existing object; returns false if the target refuses. */
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

/** Skips an object that the target refuses. A rejected key ends the import. */
function refused(run: CatalogRun, kind: CatalogKind, id: string, error: HttpRefusal): void {
  if (error.status === 401 || error.status === 403) throw error;
  run.skip({ kind, id, reason: error.message });
}

export function isArchived(object: { state?: string }): boolean {
  return object.state === 'inactive';
}
