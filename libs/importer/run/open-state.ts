import type { ImportSettings } from '../command/import-settings.js';
import { assertStateOf, readState } from '../state/state-file.js';
import type { ImportState } from '../state/state.model.js';
import { placeOfFiles } from './file-origin.js';

/** Null if it is named after a source project that is not known yet. */
export function stateFileOf(settings: ImportSettings, project: string | null): string | null {
  if (settings.stateFile !== null) return settings.stateFile;
  if (settings.from !== 'api') return `./tenure-import-${settings.from}.json`;
  // A pass over a few ids must not end the pass over all customers.
  const kind = settings.ids === null ? '' : '-ids';
  return project === null ? null : `./tenure-import-${project.replace(/[^\w-]/g, '_')}${kind}.json`;
}

/** Returns the state to continue; null to start over. @throws WrongUsage if the file cannot be used */
export async function usableState(
  file: string,
  settings: ImportSettings,
  sourceProject: string | null,
  targetProject: string | null,
): Promise<ImportState | null> {
  if (settings.dryRun || settings.restart) return null;
  const state = await readState(file);
  if (state === null) return null;
  const source =
    settings.from === 'api'
      ? { url: settings.source?.url ?? '', project: sourceProject }
      : placeOfFiles(settings.from, settings.files);
  assertStateOf(state, file, source, { url: settings.target.url, project: targetProject });
  return state;
}
