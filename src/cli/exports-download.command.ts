import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { datasetEnvironments, datasetNames, fileFormats } from '../exports/datasets/dataset.model.js';
import { findDataset } from '../exports/datasets/datasets.js';
import {
  DatasetDownloadsService,
  type DownloadRequest,
} from '../exports/downloads/dataset-downloads.service.js';
import { ReportRowsService } from '../exports/report-rows/report-rows.service.js';
import { systemChange } from '../platform/audit/project-write.js';
import { DatabaseService } from '../platform/database/database.service.js';
import { ProjectsService } from '../workspace/projects/projects.service.js';
import { withApplication } from './application.js';
import { CommandFailed } from './command-failed.js';
import { written } from './output.js';

/** How long (ms) the first build of the rows may wait for other workers and older transactions. */
const BUILD_WITHIN_MS = 10 * 60_000;

export interface ExportDownloadOptions {
  project: string;
  dataset: string;
  format: string;
  environment: string;
  out: string;
}

/** Writes one data set from one snapshot to a file, or to standard output. Builds its rows first if there are none. */
export async function downloadDataset({ project, out, ...options }: ExportDownloadOptions): Promise<void> {
  const request = requestOf(options);
  await withApplication(async (app) => {
    const get = <Service>(type: abstract new (...args: never[]) => Service): Service =>
      app.get<Service>(type, { strict: false });
    if (!(await get(ProjectsService).exists(project)))
      throw new CommandFailed(`There is no project ${project}.`);
    if (request.dataset.incremental === 'change') {
      const rows = get(ReportRowsService);
      await get(DatabaseService).transaction((tx) => rows.enable(tx, project));
      await rows.completeBuild(project, BUILD_WITHIN_MS);
    }
    await get(DatasetDownloadsService).run({ projectId: project, ...systemChange }, request, ({ bytes }) =>
      out === '-' ? toOutput(bytes) : toFile(out, bytes),
    );
  });
}

function requestOf({
  dataset: name,
  format: wantedFormat,
  environment: wantedEnvironment,
}: Omit<ExportDownloadOptions, 'project' | 'out'>): DownloadRequest {
  const dataset = findDataset(chosen('--dataset', name, datasetNames));
  if (!dataset) throw new CommandFailed(`There is no data set ${name}.`);
  return {
    dataset,
    format: chosen('--format', wantedFormat, fileFormats),
    environment: chosen('--environment', wantedEnvironment, datasetEnvironments),
    updatedAfter: null,
    // A warehouse must get every id as it is.
    isSpreadsheetSafe: false,
  };
}

function chosen<Choice extends string>(option: string, value: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new CommandFailed(`${option} must be one of ${choices.join(', ')}.`);
  return found;
}

async function toOutput(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const part of bytes) await written(part);
}

/** The file has its name only once it is complete. Only its owner may read it. */
async function toFile(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.part`);
  const file = await open(part, 'w', 0o600).catch((error: Error) => {
    throw new CommandFailed(`The file cannot be written: ${error.message}`);
  });
  try {
    try {
      for await (const piece of bytes) await file.write(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
