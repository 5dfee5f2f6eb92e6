import { ReportRollupJob } from '../../../src/exports/report-rows/report-rollup.job.js';
import { ReportRowsService } from '../../../src/exports/report-rows/report-rows.service.js';
import type { TestServer } from '../test-server.js';

const PATIENCE_MS = 60_000;

/**
 * Builds and updates the report rows of all projects. A first build waits for transactions that began before it, also
 * those of other tests.
 */
export async function rollUpReports({
  app,
  dataSource,
}: Pick<TestServer, 'app' | 'dataSource'>): Promise<void> {
  const enabled = await dataSource.query<{ id: string }[]>(
    'SELECT project_id AS id FROM report_projects WHERE enabled',
  );
  for (const { id } of enabled) {
    const isComplete = await app.get(ReportRowsService, { strict: false }).completeBuild(id, PATIENCE_MS);
    if (!isComplete) throw new Error(`The report rows of ${id} are not built.`);
  }
  await app.get(ReportRollupJob, { strict: false }).run();
}
