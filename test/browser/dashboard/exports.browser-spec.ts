import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ExportRunsJob } from '../../../src/exports/scheduled-exports/runs/export-runs.job.js';
import { type SftpPeer, startSftpPeer } from '../../support/file-stores/sftp-peer.js';
import { addFixtureRows } from '../../support/exports/report-rows.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'"> \u202egnp.exe';

describeInBrowser('exports in the dashboard', () => {
  let folder: string;
  const dashboard = useDashboard(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenure-dashboard-exports-'));
    return { env: { SERVICE_EXPORT_DIR: folder } };
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeAll(() => addFixtureRows(dashboard.server.dataSource, dashboard.projectId));

  const drain = (): Promise<void> => dashboard.server.app.get(ExportRunsJob).drain();
  /** Runs wait until the end of the test. */
  const holdRuns = (): void => {
    jest.spyOn(dashboard.server.app.get(ExportRunsJob), 'wake').mockReturnValue(undefined);
  };
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const exportsPath = (): string => `/v2/projects/${dashboard.projectId}/integrations/exports`;

  async function post(route: string, body: object): Promise<{ id: string }> {
    const answer = await dashboard.owner.session.post(exportsPath() + route, body);
    if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
    return answer.body as { id: string };
  }

  /** An export of transactions to a new destination. */
  async function createExport(
    name: string,
    prefix: string,
    place: object = { kind: 'local' },
  ): Promise<string> {
    const destination = await post('/destinations', { name, prefix, ...place });
    const { id } = await post('', {
      name,
      destination_id: destination.id,
      datasets: [{ name: 'transactions', version: 5 }],
      format: 'csv',
      schedule: { frequency: 'manual' },
    });
    return id;
  }

  /** Records failed runs of an export, as many as its counter has. */
  async function failRuns(exportId: string, count: number, code: string, message: string): Promise<void> {
    const failedAt = new Date(dashboard.server.clock.nowMs() - 60_000);
    const query = (sql: string, ...values: unknown[]) =>
      dashboard.server.dataSource.query(sql, [dashboard.projectId, exportId, count, ...values]);
    await query(
      `INSERT INTO export_runs (project_id, id, export_id, destination_id, state, trigger, requested_mode, mode, attempt,
         error_code, error_message, created_at, started_at, finished_at)
       SELECT $1, 'exr_' || n || $2, $2, e.destination_id, 'failed', 'schedule', 'full', 'full', 1, $4, $5, $6, $6, $6
       FROM exports e, generate_series(1, $3) n WHERE e.project_id = $1 AND e.id = $2`,
      code,
      message,
      failedAt,
    );
    await query('UPDATE exports SET consecutive_failures = $3 WHERE project_id = $1 AND id = $2');
  }

  /** Adds a destination in the folder of the server, and tests it before. */
  async function addDestination(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Add destination' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add destination' });
    await dialog.getByRole('button', { name: 'Add destination' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByText('Enter the bucket.').waitFor();
    await expectAccessible(page);
    await shoot(page, 'export-destination-s3');
    await dialog.getByRole('radio', { name: 'Google Cloud Storage' }).check();
    await shoot(page, 'export-destination-gcs');
    await dialog.getByRole('radio', { name: 'Azure Blob Storage' }).check();
    await shoot(page, 'export-destination-azure');
    await dialog.getByRole('radio', { name: 'Folder on this server' }).check();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Archive');
    await dialog.getByRole('textbox', { name: 'Subfolder optional' }).fill('acme/data');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await dialog.getByText('The test file was written, read and deleted.').waitFor();
    await shoot(page, 'export-destination-tested');
    await dialog.getByRole('button', { name: 'Add destination' }).click();
  }

  it('adds a destination, creates an export, runs it, and shows its files', async () => {
    const page = await dashboard.open(dashboard.path('webhooks'));
    await page.getByRole('navigation').getByRole('link', { name: 'Exports' }).first().click();
    await page.getByText('Deliver your data to a bucket or server on a schedule').waitFor();
    await page.getByText('No exports yet. Add a destination, then choose what to send.').waitFor();
    await expectAccessible(page);
    await shoot(page, 'exports-empty');
    await page.getByRole('tab', { name: 'Destinations' }).click();
    await page.getByText('No destinations yet.').waitFor();
    await shoot(page, 'export-destinations-empty');
    await page.getByRole('tab', { name: 'Exports' }).click();
    await addDestination(page);

    const dialog = page.getByRole('dialog', { name: 'New export' });
    await dialog.getByRole('button', { name: 'Create export' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Every night');
    await dialog.getByText("The transactions file has the vendor's version 5 columns").waitFor();
    await dialog.getByLabel('When').selectOption('Every week');
    await dialog.getByLabel('Weekday').selectOption('Friday');
    await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
    await expectAccessible(page);
    await shoot(page, 'export-new');
    await dialog.getByRole('button', { name: 'Create export' }).click();

    await page.getByRole('heading', { level: 1, name: 'Every night' }).waitFor();
    await page.getByText('Every Friday at 03:00, Europe/Berlin').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('Run started').waitFor();
    await drain();
    await page.getByRole('row', { name: /Delivered.*13 rows/ }).click();
    const panel = page.getByRole('region', { name: /^Run of / });
    await panel.getByText('Every row (the first run)').waitFor();
    await panel.getByText(/^acme\/data\/[\d-]+\/transactions_\d+\.csv\.gz$/).waitFor();
    await panel.getByRole('button', { name: /^Copy SHA-256 of acme/ }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'export-run');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Run now' }).click();
    await drain();
    await page.getByRole('row', { name: /Delivered.* 0 rows/ }).click();
    await panel.getByText('No rows changed since the last run.').waitFor();
    await shoot(page, 'export-run-unchanged');
    await page.keyboard.press('Escape');

    await page.getByRole('navigation').getByRole('link', { name: 'Exports' }).first().click();
    await page.getByRole('row', { name: /Every night.*Transactions.*Archive.*Delivered/ }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'exports');
    await page.getByRole('tab', { name: 'Destinations' }).click();
    await page.getByRole('row', { name: /Archive.*Folder on this server.*acme\/data/ }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'export-destinations');
  });

  it('pauses, resumes, changes and deletes an export', async () => {
    holdRuns();
    const id = await createExport('Monthly', 'monthly');
    const page = await dashboard.open(dashboard.path(`integrations/exports/${id}`));
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit export' });
    await dialog.getByRole('checkbox', { name: 'Customers' }).check();
    await dialog.getByRole('checkbox', { name: 'Include sandbox data' }).check();
    await dialog.getByText('The next run delivers every row').waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Transactions v5, Customers v1').waitFor();
    await page.getByText('Production and sandbox').waitFor();

    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Run full export' }).click();
    await page.getByText('Run started').waitFor();
    await page.getByRole('row', { name: /Waiting to start/ }).click();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    const cancel = page.getByRole('alertdialog', { name: 'Cancel this run?' });
    await cancel.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('row', { name: /Canceled/ }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const confirm = page.getByRole('alertdialog', { name: 'Delete this export?' });
    await confirm.getByText('Files that were delivered stay where they are.').waitFor();
    await confirm.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('table', { name: 'Exports' }).waitFor();
    expect((await dashboard.owner.session.get(`${exportsPath()}/${id}`)).status).toBe(404);
  });

  it('says why the last runs failed, and runs again', async () => {
    holdRuns();
    const id = await createExport(HOSTILE, 'failing');
    await failRuns(id, 2, 'access_denied', `Access denied: ${HOSTILE}`);
    const page = await dashboard.open(dashboard.path(`integrations/exports/${id}`));
    const banner = page.getByRole('alert');
    await banner.getByText('The last 2 runs of this export failed: Access denied').waitFor();
    await page
      .getByRole('row', { name: /Failed: access denied/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await shoot(page, 'export-failing');
    await page
      .getByRole('row', { name: /Failed: access denied/ })
      .first()
      .click();
    await page
      .getByRole('region', { name: /^Run of / })
      .getByText('Access denied: <img')
      .waitFor();
    await expectAccessible(page);
    await shoot(page, 'export-run-failed');
    await page.keyboard.press('Escape');
    await banner.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('row', { name: /Waiting to start/ }).waitFor();
    await drain();
    await page.getByRole('row', { name: /Delivered/ }).waitFor();
    await banner.waitFor({ state: 'detached' });
    expect(await page.title()).not.toBe('owned');
  });

  it('shows how far a run is', async () => {
    holdRuns();
    const id = await createExport('Hourly', 'hourly');
    await post(`/${id}/actions/run`, {});
    await dashboard.server.dataSource.query(
      `UPDATE export_runs SET state = 'writing', rows = 52000, started_at = now(), lease_until = now() + interval '1 day'
       WHERE project_id = $1 AND export_id = $2`,
      [dashboard.projectId, id],
    );
    const page = await dashboard.open(dashboard.path('integrations/exports'));
    await page.getByRole('row', { name: /Hourly.*Running, 52,000 rows so far/ }).click();
    await page
      .getByRole('row', { name: /Running, 52,000 rows so far/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Cancel run' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'export-run-writing');
  });

  describe('at an SFTP server whose host key has changed', () => {
    let peer: SftpPeer;
    beforeAll(async () => {
      peer = await startSftpPeer();
    });
    afterAll(() => peer.close());

    it('shows the new key after the first failed run, trusts it, and delivers', async () => {
      const { port, username, password, hostKey } = peer;
      const host_key = `SHA256:${'A'.repeat(43)}`;
      const sftp = { host: '127.0.0.1', port, username, folder: 'files', password, host_key };
      const id = await createExport('To a partner', '', { kind: 'sftp', sftp });
      await failRuns(id, 1, 'host_key_changed', `The server has a new host key, ${hostKey}.`);
      const page = await dashboard.open(dashboard.path(`integrations/exports/${id}`));
      const banner = page.getByRole('alert');
      await banner
        .getByText("The last run of this export failed: The server's host key has changed.")
        .waitFor();
      await expectAccessible(page);
      await shoot(page, 'export-host-key-changed');
      await banner.getByRole('button', { name: 'Check the host key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Test of To a partner' });
      await dialog.getByText('Trust the new key only if you know why it changed.').waitFor();
      await dialog.getByText(hostKey, { exact: true }).waitFor();
      await expectAccessible(page);
      await shoot(page, 'export-host-key-new');
      await dialog.getByRole('button', { name: 'Trust this key' }).click();
      await dialog.getByText('The test file was written, read and deleted.').waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await banner.getByRole('button', { name: 'Run again' }).click();
      await drain();
      await page.getByRole('row', { name: /Delivered/ }).waitFor();
      await banner.waitFor({ state: 'detached' });
    });
  });

  it('downloads a data set, with formulas as text', async () => {
    const page = await dashboard.open(dashboard.path('integrations/exports'));
    await page.getByRole('button', { name: 'Download data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download data' });
    await dialog.getByRole('checkbox', { name: 'Include sandbox data' }).check();
    await dialog
      .getByText('Puts an apostrophe before text that a spreadsheet would run as a formula.')
      .waitFor();
    await expectAccessible(page);
    await shoot(page, 'export-download');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^transactions_\d{10}\.csv\.gz$/);
    const lines = gunzipSync(await readFile(await file.path()))
      .toString()
      .trim()
      .split('\n');
    expect(lines).toHaveLength(15);
    expect(lines.filter((line) => line.startsWith("'=cat"))).toHaveLength(2);
    await page.getByText('Data downloaded').waitFor();
  });

  it('says that the data is being prepared while it is read for the first time', async () => {
    const { server, projectId } = dashboard;
    dashboard.expectProblem(/503/);
    await server.dataSource.query('UPDATE report_projects SET built_at = NULL WHERE project_id = $1', [
      projectId,
    ]);
    const page = await dashboard.open(dashboard.path('integrations/exports'));
    await page.getByRole('button', { name: 'Download data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download data' });
    await dialog.getByRole('button', { name: 'Download' }).click();
    await dialog.getByText('Your data is being prepared. Try again in a few minutes.').waitFor();
    await expectAccessible(page);
    await server.dataSource.query('UPDATE report_projects SET built_at = now() WHERE project_id = $1', [
      projectId,
    ]);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await download;
  });

  it('asks to trust the host key of an SFTP server, and keeps stored secrets hidden', async () => {
    const key = `SHA256:${createHash('sha256').update('key').digest('base64').replace('=', '')}`;
    const page = await dashboard.open(dashboard.path('integrations/exports?tab=destinations'));
    const answers = [
      { object: 'export_destination_test', ok: false, steps: [], seen_host_key: key },
      {
        object: 'export_destination_test',
        ok: false,
        steps: [{ name: 'write', ok: false, duration_ms: 3, code: 'access_denied', message: HOSTILE }],
      },
    ];
    // The header leaves these answers out of the writes that the audit log must have.
    const headers = { 'idempotent-replayed': 'true' };
    await page.route('**/destinations/actions/test', (route) =>
      route.fulfill({ json: answers.shift(), headers }),
    );
    await page.getByRole('button', { name: 'Add destination' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add destination' });
    await dialog.getByRole('radio', { name: 'SFTP server' }).check();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Partner');
    await dialog.getByRole('textbox', { name: 'Host', exact: true }).fill('8.8.8.8');
    await dialog.getByRole('textbox', { name: 'User' }).fill('acme');
    await dialog.getByLabel('Password', { exact: true }).fill('secret of the partner');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await dialog.getByText('The server showed this host key. Compare it').waitFor();
    await expectAccessible(page);
    await shoot(page, 'export-host-key');
    await dialog.getByRole('button', { name: 'Trust this key' }).click();
    await dialog.getByText('Could not write: access denied.').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Host key' }).inputValue()).toBe(key);
    await dialog.getByRole('button', { name: 'Add destination' }).click();

    await page.getByRole('row', { name: /Partner.*SFTP server/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for Partner' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit destination' });
    await edit.getByRole('group', { name: 'Password' }).getByText('Set', { exact: true }).waitFor();
    await shoot(page, 'export-destination-edit');
    // Another host needs the password again.
    await edit.getByRole('textbox', { name: 'Host', exact: true }).fill('8.8.4.4');
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await edit.getByText('Enter the secret.').waitFor();
  });

  it('tells a person who may not read customers why nothing can be exported', async () => {
    const viewer = await dashboard.member('viewer');
    const page = await dashboard.open(dashboard.path('integrations/exports'), viewer);
    await page
      .getByRole('button', { name: 'Download data' })
      .and(page.locator('[aria-disabled=true]'))
      .waitFor();
  });
});
