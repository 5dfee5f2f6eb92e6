import { ManualClock } from '../../libs/kernel/index.js';
import { ExportScheduleJob } from '../../src/exports/scheduled-exports/export-schedule.job.js';
import { nextLocalTime } from '../../src/exports/scheduled-exports/exports.sql.js';
import { describeAccess } from '../support/access-checks.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey, type SignedUp, signUp } from '../support/arrange.js';
import { runCommand } from '../support/command-line.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const s3 = { bucket: 'acme', access_key_id: 'AKIDEXAMPLE', secret_access_key: 'secret' };
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Moscow',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Havana',
  'America/Nuuk',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
];
const permissions = [
  'project_configuration:integrations:read_write',
  'customer_information:customers:read',
  'customer_information:subscriptions:read',
  'customer_information:purchases:read',
];

describe('exports', () => {
  let server: TestServer;
  let owner: SignedUp;
  let path: string;
  let destinationId: string;

  beforeAll(async () => {
    server = await startTestServer({
      clock: new ManualClock(NOW),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true', SERVICE_ROLE: 'api' },
    });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    server.clock.setMs(NOW);
    owner = await signUp(server, { projectName: 'Acme' });
    path = `/v2/projects/${owner.projectId}/integrations/exports`;
    const destination = await owner.session.post(`${path}/destinations`, { name: 'Lake', kind: 's3', s3 });
    destinationId = destination.body.id;
  });

  const bodyOf = (change: object = {}): object => ({
    name: 'Warehouse',
    destination_id: destinationId,
    datasets: [{ name: 'transactions', version: 5 }],
    format: 'csv',
    schedule: { frequency: 'daily', at: '03:00', time_zone: 'Europe/Berlin' },
    ...change,
  });
  const create = async (change: object = {}): Promise<Json> => {
    server.clock.advanceMs(1);
    const answer = await owner.session.post(path, bodyOf(change));
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };
  const lastAudit = async (): Promise<Json> =>
    (await owner.session.get(`/v2/projects/${owner.projectId}/audit_logs?limit=1`)).body.items[0];
  const at = (time: string): number => Date.parse(time);

  it('creates, reads, changes and deletes an export', async () => {
    const made = await create();
    expect(made).toEqual({
      object: 'export',
      id: expect.stringMatching(/^exp_.{16}$/),
      name: 'Warehouse',
      destination_id: destinationId,
      datasets: [{ name: 'transactions', version: 5 }],
      format: 'csv',
      mode: 'incremental',
      schedule: { frequency: 'daily', at: '03:00', time_zone: 'Europe/Berlin' },
      environment: 'production',
      spreadsheet_safe: false,
      state: 'active',
      next_run_at: at('2026-11-28T02:00:00Z'),
      last_run: null,
      consecutive_failures: 0,
      cursor: { at: null },
      created_at: server.clock.nowMs(),
      updated_at: server.clock.nowMs(),
    });
    expect((await owner.session.get(`${path}/${made.id}`)).body).toEqual(made);
    server.clock.advanceMs(5);
    const change = {
      name: 'Lake',
      datasets: [
        { name: 'customers', version: 1 },
        { name: 'events', version: 1 },
      ],
      mode: 'full',
      schedule: { frequency: 'monthly', day: 28, at: '23:30', time_zone: 'America/New_York' },
      environment: 'all',
      spreadsheet_safe: true,
    };
    server.clock.advanceMs(1);
    const changed = await owner.session.post(`${path}/${made.id}`, change);
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...made,
        ...change,
        next_run_at: at('2026-11-29T04:30:00Z'),
        updated_at: server.clock.nowMs(),
      },
    ]);
    expect(await lastAudit()).toMatchObject({
      action_type: 'export_updated',
      additional_data: { changes: { mode: { old: 'incremental', new: 'full' } } },
    });
    const deleted = await owner.session.delete(`${path}/${made.id}`);
    expect(deleted.body).toEqual({ object: 'export', id: made.id, deleted_at: server.clock.nowMs() });
    expect((await owner.session.get(`${path}/${made.id}`)).status).toBe(404);
    expect((await owner.session.delete(`${path}/${made.id}`)).status).toBe(404);
  });

  it.each<[object, string | null]>([
    [{ frequency: 'manual' }, null],
    [{ frequency: 'hourly' }, '2026-11-27T13:00:00Z'],
    [{ frequency: 'daily', at: '13:00', time_zone: 'Europe/Berlin' }, '2026-11-28T12:00:00Z'],
    [{ frequency: 'daily', at: '13:01', time_zone: 'Europe/Berlin' }, '2026-11-27T12:01:00Z'],
    [{ frequency: 'weekly', weekday: 'friday', at: '12:00', time_zone: 'UTC' }, '2026-12-04T12:00:00Z'],
    [
      { frequency: 'weekly', weekday: 'saturday', at: '00:30', time_zone: 'Pacific/Kiritimati' },
      '2026-12-04T10:30:00Z',
    ],
    [{ frequency: 'monthly', day: 1, at: '00:00', time_zone: 'UTC' }, '2026-12-01T00:00:00Z'],
  ])('computes the next run of %j', async (schedule, next) => {
    const made = await create({ schedule });
    expect(made.next_run_at).toBe(next === null ? null : at(next));
  });

  // One connection has the temporary function, so it cannot be a test for each zone.
  it('runs once each day, week and month over ten years in 20 zones', async () => {
    const runner = server.dataSource.createQueryRunner();
    try {
      await runner.query(
        `CREATE FUNCTION pg_temp.next_due(timestamptz, text, text, int, int) RETURNS timestamptz LANGUAGE sql AS $f$ ${nextLocalTime.text.replace(
          '$3::time',
          '$3::text::time',
        )} $f$`,
      );
      const schedules: [weekday: number | null, day: number | null, minDays: number, maxDays: number][] = [
        [null, null, 1, 1],
        [7, null, 7, 7],
        [null, 28, 28, 31],
      ];
      for (const zone of ZONES) {
        for (const time of ['00:00', '02:30', '23:30']) {
          for (const [weekday, day, minDays, maxDays] of schedules) {
            const rows = (await runner.query(
              `WITH RECURSIVE due (at) AS (
                 SELECT pg_temp.next_due('2026-01-01Z', $1, $2, $3, $4)
                 UNION ALL
                 SELECT pg_temp.next_due(d.at, $1, $2, $3, $4) FROM due d WHERE d.at < '2036-01-01Z'
               )
               SELECT extract(epoch FROM at - lag(at) OVER (ORDER BY at))::float8 / 3600 AS hours FROM due`,
              [zone, time, weekday, day],
            )) as { hours: number | null }[];
            const hours = rows.flatMap((row) => (row.hours === null ? [] : [row.hours]));
            // Clocks change by at most two hours.
            const odd = hours.filter((gap) => gap < minDays * 24 - 2 || gap > maxDays * 24 + 2);
            expect([zone, time, weekday, day, odd]).toEqual([zone, time, weekday, day, []]);
          }
        }
      }
    } finally {
      await runner.release();
    }
  });

  it.each([
    ['a time that clocks skip', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00Z'],
    ['a time that comes twice', '2026-10-24T12:00:00Z', '2026-10-25T01:30:00Z'],
  ])('runs once at %s', async (_, now, next) => {
    server.clock.setMs(at(now));
    const made = await create({ schedule: { frequency: 'daily', at: '02:30', time_zone: 'Europe/Berlin' } });
    expect(made.next_run_at).toBe(at(next));
  });

  it('keeps the next run when other fields change, and has none while it is paused', async () => {
    const { id, next_run_at } = await create();
    server.clock.advanceMs(2 * 24 * 3_600_000);
    const renamed = await owner.session.post(`${path}/${id}`, { name: 'Other', environment: 'all' });
    expect(renamed.body.next_run_at).toBe(next_run_at);
    const paused = await owner.session.post(`${path}/${id}`, { state: 'paused' });
    expect(paused.body).toMatchObject({ state: 'paused', next_run_at: null });
    const resumed = await owner.session.post(`${path}/${id}`, { state: 'active' });
    expect(resumed.body).toMatchObject({ state: 'active', next_run_at: at('2026-11-30T02:00:00Z') });
  });

  it.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(61) }],
    ['datasets', { datasets: [] }],
    ['datasets', { datasets: [{ name: 'transactions', version: 4 }] }],
    ['datasets', { datasets: Array(2).fill({ name: 'events', version: 1 }) }],
    ['datasets.0.name', { datasets: [{ name: 'deletions', version: 1 }] }],
    ['datasets.0.version', { datasets: [{ name: 'events' }] }],
    ['format', { format: 'xlsx' }],
    ['mode', { mode: 'delta' }],
    ['environment', { environment: 'test' }],
    ['spreadsheet_safe', { spreadsheet_safe: 'yes' }],
    ['state', { state: 'deleted' }],
    ['schedule', { schedule: undefined }],
    ['schedule.frequency', { schedule: { frequency: 'yearly' } }],
    ['schedule.at', { schedule: { frequency: 'daily', time_zone: 'UTC' } }],
    ['schedule.at', { schedule: { frequency: 'daily', at: '24:00', time_zone: 'UTC' } }],
    ['schedule.at', { schedule: { frequency: 'hourly', at: '01:00' } }],
    ['schedule.time_zone', { schedule: { frequency: 'daily', at: '03:00' } }],
    ['schedule.time_zone', { schedule: { frequency: 'daily', at: '03:00', time_zone: 'Europe/Atlantis' } }],
    ['schedule.time_zone', { schedule: { frequency: 'daily', at: '03:00', time_zone: '+01:00' } }],
    ['schedule.weekday', { schedule: { frequency: 'weekly', at: '03:00', time_zone: 'UTC' } }],
    ['schedule.day', { schedule: { frequency: 'monthly', day: 29, at: '03:00', time_zone: 'UTC' } }],
  ])('rejects a body with 400 naming %s', async (param, change) => {
    const answer = await owner.session.post(path, bodyOf(change));
    expect([answer.status, answer.body.param]).toEqual([400, param]);
  });

  it('answers 404 to destinations and exports of others', async () => {
    const stranger = await signUp(server);
    const elsewhere = `/v2/projects/${stranger.projectId}/integrations/exports`;
    const foreign = await stranger.session.post(elsewhere, bodyOf());
    expect([foreign.status, foreign.body.param]).toEqual([404, 'destination_id']);
    const { id } = await create();
    const moved = await owner.session.post(`${path}/${id}`, { destination_id: 'exd_unknown' });
    expect([moved.status, moved.body.param]).toEqual([404, 'destination_id']);
    const run = await owner.session.post(`${path}/${id}/actions/run`, {});
    for (const url of [
      `${elsewhere}/${id}`,
      `${elsewhere}/${id}/runs`,
      `${elsewhere}/${id}/runs/${run.body.id}`,
    ])
      expect((await stranger.session.get(url)).status).toBe(404);
    for (const action of ['run', 'reset'])
      expect((await stranger.session.post(`${elsewhere}/${id}/actions/${action}`, {})).status).toBe(404);
    const cancel = `${elsewhere}/${id}/runs/${run.body.id}/actions/cancel`;
    expect((await stranger.session.post(cancel, {})).status).toBe(404);
    const other = await create();
    expect((await owner.session.get(`${path}/${other.id}/runs/${run.body.id}`)).status).toBe(404);
  });

  it('has at most 20 exports in a project', async () => {
    for (let n = 0; n < 20; n++) await create({ name: `${n}` });
    const answer = await owner.session.post(path, bodyOf());
    expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
    const items = await walkList(owner.session, path, 7);
    expect(items.map(({ name }: Json) => name)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`));
  });

  it('keeps a destination that an export uses', async () => {
    const { id } = await create();
    const refused = await owner.session.delete(`${path}/destinations/${destinationId}`);
    expect([refused.status, refused.body.type]).toEqual([409, 'invalid_request']);
    await owner.session.delete(`${path}/${id}`);
    expect((await owner.session.delete(`${path}/destinations/${destinationId}`)).status).toBe(200);
  });

  it('queues one run at a time and names the open one', async () => {
    const { id } = await create({ state: 'paused' });
    server.clock.advanceMs(1);
    const queued = await owner.session.post(`${path}/${id}/actions/run`, { mode: 'full' });
    expect([queued.status, queued.body]).toEqual([
      202,
      {
        object: 'export_run',
        id: expect.stringMatching(/^exr_.{16}$/),
        export_id: id,
        state: 'queued',
        trigger: 'manual',
        mode: 'full',
        mode_reason: null,
        attempt: 0,
        snapshot_at: null,
        data_until: null,
        started_at: null,
        finished_at: null,
        rows: 0,
        bytes: 0,
        files: [],
        warnings: [],
        error: null,
        created_at: server.clock.nowMs(),
      },
    ]);
    expect(await lastAudit()).toMatchObject({ action_type: 'export_run_requested' });
    server.clock.advanceMs(1);
    const second = await owner.session.post(`${path}/${id}/actions/run`, {});
    expect([second.status, second.body.type]).toEqual([423, 'resource_locked_error']);
    expect(second.body.message).toContain(queued.body.id);
    expect((await owner.session.get(`${path}/${id}`)).body.last_run).toEqual(queued.body);
  });

  it('cancels a run once, and lists runs newest first', async () => {
    const { id } = await create();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      server.clock.advanceMs(1);
      const run = await owner.session.post(`${path}/${id}/actions/run`, {});
      ids.unshift(run.body.id);
      server.clock.advanceMs(1);
      const canceled = await owner.session.post(`${path}/${id}/runs/${run.body.id}/actions/cancel`, {});
      expect([canceled.status, canceled.body]).toEqual([
        200,
        { ...run.body, state: 'canceled', finished_at: server.clock.nowMs() },
      ]);
      expect(await lastAudit()).toMatchObject({ action_type: 'export_run_canceled' });
      const again = await owner.session.post(`${path}/${id}/runs/${run.body.id}/actions/cancel`, {});
      expect(again.status).toBe(409);
    }
    const items = await walkList(owner.session, `${path}/${id}/runs`, 2);
    expect(items.map((run: Json) => run.id)).toEqual(ids);
    expect((await owner.session.get(`${path}/${id}/runs/${ids[0]}`)).body).toEqual(items[0]);
  });

  it('starts due exports once, whatever the number of due times and servers', async () => {
    const { id } = await create({ schedule: { frequency: 'hourly' } });
    server.clock.advanceMs(3 * 3_600_000);
    const other = await startTestServer({
      databaseUrl: server.databaseUrl,
      clock: server.clock,
      env: { SERVICE_ROLE: 'api' },
    });
    try {
      const jobs = [server, other].map(({ app }) => app.get(ExportScheduleJob));
      await Promise.all(jobs.flatMap((job) => [job.startDue(), job.startDue()]));
    } finally {
      await other.close();
    }
    const { items } = (await owner.session.get(`${path}/${id}/runs`)).body;
    expect(items).toMatchObject([{ trigger: 'schedule', state: 'queued', mode: 'incremental' }]);
    expect((await owner.session.get(`${path}/${id}`)).body.next_run_at).toBe(at('2026-11-27T16:00:00Z'));
  });

  it('skips a due time while the last run continues, and starts no paused export', async () => {
    const { id } = await create({ schedule: { frequency: 'hourly' } });
    const paused = await create({ schedule: { frequency: 'hourly' }, state: 'paused' });
    await owner.session.post(`${path}/${id}/actions/run`, {});
    server.clock.advanceMs(3_600_000);
    await server.app.get(ExportScheduleJob).startDue();
    const runs = async (exportId: string): Promise<Json[]> =>
      (await owner.session.get(`${path}/${exportId}/runs`)).body.items;
    expect(await runs(id)).toMatchObject([{ trigger: 'manual' }]);
    expect(await runs(paused.id)).toEqual([]);
    expect((await owner.session.get(`${path}/${id}`)).body.next_run_at).toBe(at('2026-11-27T14:00:00Z'));
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/^tenure_export_skipped_total 1$/m);
  });

  it('cancels the run of an export that is deleted', async () => {
    const { id } = await create();
    const { body: run } = await owner.session.post(`${path}/${id}/actions/run`, {});
    await owner.session.delete(`${path}/${id}`);
    const rows = await server.dataSource.query<object[]>(
      'SELECT state, due_at FROM export_runs WHERE id = $1',
      [run.id],
    );
    expect(rows).toEqual([{ state: 'canceled', due_at: null }]);
  });

  it('removes secrets and ends runs as soon as the project is deleted', async () => {
    const { id } = await create();
    await owner.session.post(`${path}/${id}/actions/run`, {});
    const answer = await owner.session.delete(`/v2/projects/${owner.projectId}`);
    expect(answer.status).toBe(200);
    const [row] = await server.dataSource.query<Json[]>(
      `SELECT d.sealed_secrets, d.secret_times, r.state FROM export_destinations d
       JOIN export_runs r ON r.project_id = d.project_id WHERE d.project_id = $1`,
      [owner.projectId],
    );
    expect(row).toEqual({ sealed_secrets: null, secret_times: {}, state: 'canceled' });
  });

  it('forgets the cursor on reset', async () => {
    const { id } = await create();
    await server.dataSource.query(`UPDATE exports SET cursors = '{"atMs": 5}' WHERE id = $1`, [id]);
    expect((await owner.session.get(`${path}/${id}`)).body.cursor).toEqual({ at: 5 });
    server.clock.advanceMs(1);
    const reset = await owner.session.post(`${path}/${id}/actions/reset`, {});
    expect([reset.status, reset.body.cursor]).toEqual([200, { at: null }]);
    expect(await lastAudit()).toMatchObject({ action_type: 'export_reset' });
  });

  it('lists and runs exports on the command line', async () => {
    const { id } = await create();
    const command = (...args: string[]) =>
      runCommand(['exports', ...args], {
        DATABASE_URL: server.databaseUrl,
        SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
        SERVICE_DEMO: 'false',
      });
    const listed = await command('list', '--project', owner.projectId);
    expect([listed.status, listed.output]).toEqual([
      0,
      expect.stringContaining(`${id}  active  last: never`),
    ]);
    const queued = await command('run', id, '--full');
    expect([queued.status, queued.errors]).toEqual([0, '']);
    const { last_run: run } = (await owner.session.get(`${path}/${id}`)).body;
    expect(run).toMatchObject({ trigger: 'cli', mode: 'full', state: 'queued' });
    expect(queued.output).toContain(run.id);
    const locked = await command('run', id);
    expect([locked.status, locked.errors]).toEqual([1, expect.stringContaining(run.id)]);
    const unknown = await command('run', 'exp_unknown');
    expect([unknown.status, unknown.errors]).toEqual([1, 'There is no export exp_unknown.\n']);
  });

  it.each(permissions)('refuses writes and runs without %s', async (missing) => {
    const { id } = await create();
    const run = await owner.session.post(`${path}/${id}/actions/run`, {});
    const { client } = await createSecretKey(
      owner.session,
      owner.projectId,
      permissions.filter((name) => name !== missing),
    );
    for (const answer of [
      await client.post(path, bodyOf()),
      await client.post(`${path}/${id}`, { name: 'Other' }),
      await client.post(`${path}/${id}/actions/run`, {}),
      await client.post(`${path}/${id}/actions/reset`, {}),
      await client.post(`${path}/${id}/runs/${run.body.id}/actions/cancel`, {}),
      await client.delete(`${path}/${id}`),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining(missing)]);
    }
  });

  it('marks runs that a secret key requests', async () => {
    const { id } = await create();
    const { client } = await createSecretKey(owner.session, owner.projectId, permissions);
    const run = await client.post(`${path}/${id}/actions/run`, {});
    expect([run.status, run.body.trigger]).toEqual([202, 'api']);
  });

  describeAccess(
    () => server,
    'GET',
    (projectId) => `/v2/projects/${projectId}/integrations/exports`,
    'project_configuration:integrations:read',
  );
});
