import { HttpRefusal } from '../http/http-client.js';
import type { ImportReport } from '../report/report.model.js';
import type { SourceApp } from '../source/source.model.js';
import { type CatalogRun, isPlaceholder } from './catalog-run.js';

/** Assigns each app here the public key in its released builds. A key that cannot be imported is a warning. */
export async function importPublicKeys(
  run: CatalogRun,
  apps: readonly SourceApp[],
  warn: (message: string) => void,
): Promise<ImportReport['public_keys']> {
  const counts = { set: 0, kept: 0, failed: 0 };
  for (const app of apps) {
    const here = run.maps.apps[app.id];
    if (here === undefined) continue;
    const keys = await run.source.publicKeys(run.project, app.id);
    const key = keys.find(({ environment }) => environment === 'production')?.key;
    if (key === undefined) continue;
    const existing = isPlaceholder(here) ? [] : await run.target.publicKeys(here);
    if (existing.some((other) => other.key === key)) counts.kept += 1;
    else if (run.dryRun) counts.set += 1;
    else if (await setKey(run, app, here, key, warn)) counts.set += 1;
    else counts.failed += 1;
  }
  return counts;
}

async function setKey(
  run: CatalogRun,
  app: SourceApp,
  here: string,
  key: string,
  warn: (message: string) => void,
): Promise<boolean> {
  try {
    await run.target.setPublicKey(here, key);
    return true;
  } catch (error) {
    if (!(error instanceof HttpRefusal) || error.status === 401 || error.status === 403) throw error;
    const reason = error.status === 409 ? 'another app of this server has it' : error.message;
    warn(`The public key of "${app.name}" (${here}) was not taken over: ${reason}.`);
    return false;
  }
}
