import { setTimeout as sleep } from 'node:timers/promises';
import { systemChange } from '../platform/audit/project-write.js';
import { presentExport } from '../exports/scheduled-exports/export.presenter.js';
import { ExportsService } from '../exports/scheduled-exports/exports.service.js';
import { ExportRunsService } from '../exports/scheduled-exports/runs/export-runs.service.js';
import { withApplication } from './application.js';
import { CommandFailed } from './command-failed.js';
import { print } from './context.js';

const POLL_MS = 1_000;

export interface ListExportsOptions {
  project: string;
  json?: boolean;
}

export interface RunExportOptions {
  full?: boolean;
  wait?: boolean;
}

function time(atMs: number | null): string {
  return atMs === null ? '-' : new Date(atMs).toISOString();
}

export function listExports({ project, json }: ListExportsOptions): Promise<void> {
  return withApplication(async (app) => {
    // A project has at most 20.
    const found = await app.get(ExportsService, { strict: false }).page(project, { limit: 100, after: null });
    for (const one of found.map(presentExport)) {
      const { id, name, state, last_run: last, next_run_at: next } = one;
      const lastRun = last === null ? 'never' : `${last.state} ${time(last.finished_at)}`;
      print(json ? JSON.stringify(one) : `${id}  ${state}  last: ${lastRun}  next: ${time(next)}  ${name}`);
    }
  });
}

/** @throws CommandFailed for an unknown export, while a run is going on, and with `wait` if the run does not succeed */
export function runExport(exportId: string, { full, wait }: RunExportOptions): Promise<void> {
  return withApplication(async (app) => {
    const exports = app.get(ExportsService, { strict: false });
    const runs = app.get(ExportRunsService, { strict: false });
    const projectId = await exports.projectOf(exportId);
    if (projectId === null) throw new CommandFailed(`There is no export ${exportId}.`);
    const write = { ...systemChange, projectId };
    const { id } = await runs.request(write, 'cli', exportId, full ? 'full' : undefined);
    print(`Run ${id} is queued.`);
    if (!wait) return;
    for (;;) {
      const run = await runs.get(projectId, exportId, id);
      if (run.finishedAt !== null) {
        if (run.state !== 'succeeded')
          throw new CommandFailed(
            `Run ${id} ${run.state}${run.errorMessage ? `: ${run.errorMessage}` : '.'}`,
          );
        print(`Run ${id} succeeded: ${run.rows} rows in ${run.files.length} files.`);
        return;
      }
      await sleep(POLL_MS);
    }
  });
}
