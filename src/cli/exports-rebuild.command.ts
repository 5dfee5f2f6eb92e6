import { ReportRowsService } from '../exports/report-rows/report-rows.service.js';
import { withApplication } from './application.js';
import { CommandFailed } from './command-failed.js';
import { print } from './context.js';

/** How long (ms) older transactions may delay the build. */
const START_WITHIN_MS = 60_000;

/** Continues what this process cannot complete in the workers of the server. */
export async function rebuildReports({ project }: { project: string }): Promise<void> {
  const isComplete = await withApplication(async (app) => {
    const rows = app.get(ReportRowsService, { strict: false });
    if (!(await rows.rebuild(project))) {
      throw new CommandFailed(`The project ${project} has no exports, downloads or SQL users.`);
    }
    return rows.completeBuild(project, START_WITHIN_MS);
  });
  print(
    isComplete
      ? `The rows of ${project} have been built again.`
      : `The workers of the server build the rows of ${project} again.`,
  );
}
