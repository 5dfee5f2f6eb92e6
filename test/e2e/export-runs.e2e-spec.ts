import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { ManualClock } from '../../libs/kernel/index.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey, joinAs, signUp } from '../support/arrange.js';
import {
  type DeliveredFile,
  delivered,
  ExportsWorld,
  manifestOf,
  readerOf,
  transactions,
} from '../support/exports/arrange-exports.js';
import { filesIn } from '../support/file-stores/files-in.js';
import { addFixtureRows, addReportRows, fixtureCsv } from '../support/exports/report-rows.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
const permissions = [
  'project_configuration:integrations:read_write',
  'customer_information:customers:read',
  'customer_information:subscriptions:read',
  'customer_information:purchases:read',
];

const sorted = (text: string): string[] => text.trim().split('\n').slice(1).sort();

describe('runs of exports to a folder', () => {
  let folder: string;
  let server: TestServer;
  let world: ExportsWorld;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenure-runs-'));
    server = await startTestServer({
      // The names of files come from the clock of the database.
      clock: new ManualClock(Date.now()),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true', SERVICE_EXPORT_DIR: folder },
    });
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    world = new ExportsWorld(server, await signUp(server, { projectName: 'Acme' }));
    await addFixtureRows(server.dataSource, world.projectId);
  });

  const home = (): string => join(folder, world.projectId);
  const create = (change: object = {}, prefix = ''): Promise<Json> =>
    world.create({ kind: 'local', prefix }, change);
  const read = (run: Json, prefix = ''): Promise<{ manifest: Json; files: DeliveredFile[] }> =>
    delivered(readerOf(home()), manifestOf(prefix, run));
  const setSeq = (seq: number): Promise<unknown> =>
    server.dataSource.query('UPDATE report_projects SET seq = $2 WHERE project_id = $1', [
      world.projectId,
      seq,
    ]);

  it('delivers every row first, and the manifest last', async () => {
    const { id } = await create({}, 'acme/data');
    const run = await world.run(id);
    expect(run).toMatchObject({
      state: 'succeeded',
      mode: 'full',
      mode_reason: 'first',
      attempt: 1,
      rows: 13,
      warnings: [],
      error: null,
    });
    const { manifest, files } = await read(run, 'acme/data');
    const second = Math.floor(run.snapshot_at / 1000);
    const day = new Date(run.snapshot_at).toISOString().slice(0, 10);
    expect(manifest).toEqual({
      object: 'export_manifest',
      format_version: 1,
      project_id: world.projectId,
      export_id: id,
      run_id: run.id,
      attempt: 1,
      mode: 'full',
      mode_reason: 'first',
      snapshot_at: run.snapshot_at,
      data_until: run.data_until,
      environment: 'production',
      files: [
        {
          dataset: 'transactions',
          version: 5,
          format: 'csv',
          compression: 'gzip',
          mode: 'full',
          key: `acme/data/${day}/transactions_${second}.csv.gz`,
          rows: run.files[0].rows,
          bytes: run.files[0].bytes,
          sha256: run.files[0].sha256,
          from_seq: 0,
          to_seq: 14,
          columns: expect.arrayContaining(['rc_original_app_user_id', 'auto_resume_time']),
        },
      ],
    });
    expect(await filesIn(home())).toEqual([
      `acme/data/${day}/manifest_${second}.json`,
      `acme/data/${day}/transactions_${second}.csv.gz`,
    ]);
    const production = sorted(fixtureCsv).filter((line) => !line.includes('2000000001'));
    const columns = (line: string): string => line.replace(/2026-0[23]-01 00:00:00/g, '');
    expect(sorted(files[0]?.text ?? '').map(columns)).toEqual(production.map(columns));
    const found = await world.get(`/${id}`);
    expect([found.last_run, found.cursor.at, found.consecutive_failures]).toEqual([run, run.data_until, 0]);
  });

  it('delivers changes since the last run and keys that are gone, also if there are none', async () => {
    const { id } = await create();
    await world.run(id);
    const unchanged = await world.run(id);
    expect(unchanged).toMatchObject({ mode: 'incremental', mode_reason: null, rows: 0 });
    const nothing = await read(unchanged);
    expect(nothing.manifest.files).toMatchObject([
      { dataset: 'deletions', rows: 0, from_seq: 14, to_seq: 14 },
      { dataset: 'transactions', rows: 0, from_seq: 14, to_seq: 14 },
    ]);
    expect(nothing.files[1]?.text.split('\n')).toHaveLength(2);

    await server.dataSource.query(
      `UPDATE report_transactions SET seq = 15 WHERE project_id = $1 AND store_transaction_id = '1003'`,
      [world.projectId],
    );
    const key = { store: 'app_store', store_transaction_id: '9', renewal_number: 1, is_sandbox: false };
    await addReportRows(server.dataSource, world.projectId, 'report_deletions', [
      { seq: 16, dataset: 'transactions', key, deleted_at: new Date() },
      { seq: 16, dataset: 'customers', key: { id: 'cus_1' }, deleted_at: new Date() },
    ]);
    await setSeq(16);
    const changed = await read(await world.run(id));
    expect(changed.manifest.files).toMatchObject([
      { dataset: 'deletions', rows: 1, from_seq: 14, to_seq: 16 },
      { dataset: 'transactions', rows: 1, from_seq: 14, to_seq: 16 },
    ]);
    expect(changed.files[0]?.text).toContain('""store_transaction_id"":""9""');
    expect(changed.files[1]?.text).toContain(',1003,1001,');
  });

  it.each<[string, object, string | null, string]>([
    [
      'a data set is added',
      { datasets: [transactions, { name: 'customers', version: 1 }] },
      'changed',
      'incremental',
    ],
    ['the environment changes', { environment: 'all' }, 'changed', 'full'],
    ['every run is full', { mode: 'full' }, null, 'full'],
    ['only the name changes', { name: 'Other' }, null, 'incremental'],
  ])('decides the mode of a run after %s', async (_, change, reason, mode) => {
    const { id } = await create();
    await world.run(id);
    await world.post(`/${id}`, change);
    const run = await world.run(id);
    expect([run.state, run.mode_reason, run.mode]).toEqual(['succeeded', reason, mode]);
  });

  it('delivers everything after a reset, a move, a new version of rows, and a long pause', async () => {
    const { id, destination_id } = await create();
    const reason = async (): Promise<[string, string | null]> => {
      const { mode, mode_reason } = await world.run(id);
      return [mode, mode_reason];
    };
    const setCursors = (change: object): Promise<unknown> =>
      server.dataSource.query(`UPDATE exports SET cursors = cursors || $2 WHERE id = $1`, [
        id,
        JSON.stringify(change),
      ]);
    expect(await reason()).toEqual(['full', 'first']);
    await world.post(`/${id}/actions/reset`, {});
    expect(await reason()).toEqual(['full', 'first']);
    await world.post(`/destinations/${destination_id}`, { prefix: 'elsewhere' });
    expect(await reason()).toEqual(['full', 'changed']);
    await setCursors({ datasets: { transactions: { version: 5, codeVersion: 0, seq: 14 } } });
    expect(await reason()).toEqual(['full', 'changed']);
    await setCursors({ atMs: Date.now() - 91 * 24 * 60 * MINUTE_MS });
    expect(await reason()).toEqual(['full', 'cursor_expired']);
    expect(await reason()).toEqual(['incremental', null]);
  });

  it('delivers Parquet', async () => {
    const { id } = await create({ format: 'parquet', environment: 'all' });
    const run = await world.run(id);
    expect(run).toMatchObject({ state: 'succeeded', rows: 14 });
    const { manifest } = await read(run);
    expect(manifest.files).toMatchObject([{ format: 'parquet', compression: 'snappy', rows: 14 }]);
    const bytes = await readerOf(home())(manifest.files[0].key);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    expect(rows.map((row) => row.store_transaction_id)).toContain('GPA.1..0');
  });

  it('keeps the cursor that a reset has removed while a run went on', async () => {
    const { id } = await create();
    await world.run(id);
    const { id: runId } = await world.request(id);
    await world.post(`/${id}/actions/reset`, {});
    await world.drain();
    const run = await world.get(`/${id}/runs/${runId}`);
    expect(run.state).toBe('succeeded');
  });

  it('delivers a window of time again if rows arrived late', async () => {
    const { id } = await create({ datasets: [{ name: 'events', version: 1 }] });
    const nowMs = Date.now();
    const addEvent = (agoMs: number): Promise<unknown> =>
      server.dataSource.query(
        `INSERT INTO events (project_id, id, type, created_at, occurred_at, customer_id, environment, sequence, body,
           dedupe_key, delivery)
         VALUES ($1, $2, 'TEST', $3, $3, 'cus_1', 'production', 1, '{}', $2, 'send')`,
        [world.projectId, `ev${agoMs}`, new Date(nowMs - agoMs)],
      );
    await addEvent(60 * MINUTE_MS);
    await addEvent(5 * MINUTE_MS);
    const first = await read(await world.run(id));
    expect(first.manifest.files).toMatchObject([{ dataset: 'events', rows: 1, from: 0 }]);
    await addEvent(61 * MINUTE_MS);
    const run = await world.run(id);
    const { manifest, files } = await read(run);
    expect(manifest.files).toMatchObject([
      { dataset: 'events', rows: 2, redelivered: true, to: first.manifest.files[0].to },
      { dataset: 'events', rows: 0, from: first.manifest.files[0].to },
    ]);
    expect(manifest.files[0].key).toMatch(/events_\d{10}_redelivered\.csv\.gz$/);
    expect(files[0]?.text).toContain('ev3660000');
    const last = await read(await world.run(id));
    expect(last.manifest.files).toMatchObject([{ rows: 0, from: manifest.files[1].to }]);
  });

  it('runs for its last editor only while they may export customers', async () => {
    const member = await joinAs(server, 'developer', world.projectId);
    const { id } = await create();
    const asMember = new ExportsWorld(server, { ...member, projectId: world.projectId });
    await asMember.post(`/${id}`, { name: 'Edited' });
    expect(await world.run(id)).toMatchObject({ state: 'succeeded' });
    await server.dataSource.query(
      `DELETE FROM project_members WHERE project_id = $1 AND user_id = (SELECT id FROM users WHERE email = $2)`,
      [world.projectId, member.email],
    );
    const failed = await world.run(id);
    expect(failed).toMatchObject({
      state: 'failed',
      attempt: 1,
      error: { code: 'access_denied', message: expect.stringContaining('save the export again') },
    });
    await world.post(`/${id}`, { name: 'Edited again' });
    expect(await world.run(id)).toMatchObject({ state: 'succeeded' });
  });

  it('stops the export of a key that was deleted', async () => {
    const key = await createSecretKey(world.owner.session, world.projectId, permissions);
    const asKey = new ExportsWorld(server, world.owner, key.client);
    const { id } = await asKey.create({ kind: 'local' });
    expect(await world.run(id)).toMatchObject({ state: 'succeeded', trigger: 'manual' });
    await world.owner.session.delete(`/v2/projects/${world.projectId}/api_keys/${key.id}`);
    expect(await world.run(id)).toMatchObject({ state: 'failed', error: { code: 'access_denied' } });
  });

  it('mails after two failures in a row, and when a run succeeds again', async () => {
    const { id } = await create();
    const mails = async (): Promise<string[]> =>
      (
        await server.dataSource.query<{ kind: string }[]>(
          `SELECT kind FROM mails WHERE tenant_id = $1 AND kind LIKE 'alert_export_failing%' ORDER BY created_at`,
          [world.projectId],
        )
      ).map(({ kind }) => kind);
    const setEditor = (editor: string): Promise<unknown> =>
      server.dataSource.query('UPDATE exports SET editor_id = $2 WHERE id = $1', [id, editor]);
    const [{ editor_id: editor }] = await server.dataSource.query<[Json]>(
      'SELECT editor_id FROM exports WHERE id = $1',
      [id],
    );
    await setEditor('usr_gone');
    await world.run(id);
    expect(await mails()).toEqual([]);
    await world.run(id);
    expect(await mails()).toEqual(['alert_export_failing_problem']);
    expect((await world.get(`/${id}`)).consecutive_failures).toBe(2);
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/^tenure_export_failing [1-9]/m);
    await setEditor(editor);
    await world.run(id);
    expect(await mails()).toEqual(['alert_export_failing_problem', 'alert_export_failing_recovery']);
    expect((await world.get(`/${id}`)).consecutive_failures).toBe(0);
  });

  it('waits until changes from before its start are in the rows', async () => {
    const { id } = await create();
    await server.dataSource.query('UPDATE report_projects SET built_at = NULL WHERE project_id = $1', [
      world.projectId,
    ]);
    const waiting = await world.run(id);
    expect(waiting).toMatchObject({ state: 'preparing', attempt: 1, files: [] });
    await addFixtureRowsAgain();
    server.clock.advanceMs(5_000);
    await world.drain();
    expect(await world.get(`/${id}/runs/${waiting.id}`)).toMatchObject({ state: 'succeeded', attempt: 1 });
  });

  const addFixtureRowsAgain = (): Promise<unknown> =>
    server.dataSource.query('UPDATE report_projects SET built_at = now() WHERE project_id = $1', [
      world.projectId,
    ]);

  it('writes two exports with one place under different names', async () => {
    const one = await create();
    const other = await world.post(
      '',
      {
        name: 'Other',
        destination_id: one.destination_id,
        datasets: [transactions],
        format: 'csv',
        schedule: { frequency: 'manual' },
      },
      201,
    );
    await world.request(one.id);
    await world.request(other.id);
    await world.drain();
    const [first, second] = [await world.get(`/${one.id}`), await world.get(`/${other.id}`)];
    expect([first.last_run.state, second.last_run.state]).toEqual(['succeeded', 'succeeded']);
    expect(await filesIn(home())).toHaveLength(4);
  });

  it('keeps the last 20 runs of an export, and others for 400 days', async () => {
    const { id } = await create();
    const { ExportRunsService } =
      await import('../../src/exports/scheduled-exports/runs/export-runs.service.js');
    await server.dataSource.query(
      `INSERT INTO export_runs (project_id, id, export_id, destination_id, state, trigger, requested_mode, mode,
         created_at, finished_at)
       SELECT $1, 'exr_' || n, $2, 'exd_1', 'succeeded', 'schedule', 'full', 'full', now() - n * interval '30 days', now()
       FROM generate_series(1, 30) n`,
      [world.projectId, id],
    );
    const prune = (days: number): Promise<number> =>
      server.app.get(ExportRunsService).prune(new Date(Date.now() - days * 24 * 60 * MINUTE_MS), 100);
    expect(await prune(400)).toBe(10);
    expect(await prune(0)).toBe(0);
    expect((await world.get(`/${id}/runs?limit=100`)).items).toHaveLength(20);
  });
});
