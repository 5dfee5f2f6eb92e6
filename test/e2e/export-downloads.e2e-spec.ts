import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { ReportSnapshotsService } from '../../src/platform/database/connections/report-snapshots.service.js';
import { createSecretKey, joinAs, signUp, type SignedUp } from '../support/arrange.js';
import { runCommand } from '../support/command-line.js';
import { addFixtureRows, fixtureCsv } from '../support/exports/report-rows.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const sandboxLine = fixtureCsv.split('\n').find((line) => line.includes('2000000001')) ?? '';
const SHA256 = '817e02aa43a3ee48f4c66619663553f888114b0443e3a007231c651bf9bd278d';
const starred = [
  'project_configuration:integrations:read_write',
  'customer_information:customers:read',
  'customer_information:subscriptions:read',
  'customer_information:purchases:read',
];

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
});

afterAll(() => server.close());

interface Download {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

const pathOf = (projectId: string, query: string): string =>
  `/v2/projects/${projectId}/integrations/exports/download?${query}`;

async function download({ session, projectId }: SignedUp, query: string): Promise<Download> {
  const answer = await session.open(pathOf(projectId, query));
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

async function csv(owner: SignedUp, query: string): Promise<string> {
  const { status, bytes } = await download(owner, query);
  if (status !== 200) throw new Error(bytes.toString());
  return gunzipSync(bytes).toString();
}

describe('a download of a data set', () => {
  let owner: SignedUp;

  beforeAll(async () => {
    owner = await signUp(server);
    await addFixtureRows(server.dataSource, owner.projectId);
  });

  it('has the documented bytes and the name of its snapshot', async () => {
    const query = 'dataset=transactions&version=5&format=csv&environment=all&spreadsheet_safe=false';
    const { status, headers, bytes } = await download(owner, query);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/gzip');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="transactions_[0-9]{10}\.csv\.gz"$/,
    );
    expect(headers.get('content-encoding')).toBeNull();
    const text = gunzipSync(bytes);
    expect(text.toString()).toBe(fixtureCsv);
    expect(createHash('sha256').update(text).digest('hex')).toBe(SHA256);
  });

  it('leaves sandbox purchases out and is safe for spreadsheets, unless asked otherwise', async () => {
    const expected = fixtureCsv.replace(`${sandboxLine}\n`, '').replaceAll('=cat,=cat', "'=cat,'=cat");
    expect(await csv(owner, 'dataset=transactions')).toBe(expected);
    const sandbox = await csv(owner, 'dataset=transactions&environment=sandbox');
    expect(sandbox.split('\n').slice(1)).toEqual([sandboxLine, '']);
  });

  it('has only rows that changed after a time', async () => {
    const at = Date.UTC(2026, 2, 1);
    const query = (ms: number): string => `dataset=transactions&environment=all&updated_after=${ms}`;
    expect((await csv(owner, query(at - 1))).split('\n')).toHaveLength(16);
    expect((await csv(owner, query(at))).split('\n')).toHaveLength(2);
  });

  it('sends one file of Parquet', async () => {
    const { headers, bytes } = await download(owner, 'dataset=transactions&format=parquet&environment=all');
    expect(headers.get('content-disposition')).toMatch(/transactions_[0-9]{10}\.parquet"$/);
    const file = Uint8Array.from(bytes).buffer;
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(14);
    expect(rows[0]).toMatchObject({
      store_transaction_id: '1001',
      renewal_number: 1n,
      start_time: new Date('2026-01-01T09:00:00Z'),
      takehome_percentage: 0.7,
      is_trial_period: true,
      entitlement_identifiers: '["pro"]',
    });
    const metadata = parquetMetadata(file).key_value_metadata?.map(({ key }) => key);
    expect(metadata).toEqual(['dataset', 'version', 'snapshot_at']);
  });

  it('leaves one row in the audit log', async () => {
    await csv(owner, 'dataset=customers&environment=sandbox');
    const { body } = await owner.session.get(`/v2/projects/${owner.projectId}/audit_logs`);
    const rows = body.items as { target_identifier: string }[];
    expect(rows.find((row) => row.target_identifier === 'customers')).toMatchObject({
      action_type: 'data_downloaded',
      additional_data: { version: 1, format: 'csv', environment: 'sandbox' },
    });
  });

  it.each([
    ['', 'dataset'],
    ['dataset=orders', 'dataset'],
    ['dataset=transactions&version=4', 'version'],
    ['dataset=transactions&version=x', 'version'],
    ['dataset=transactions&format=xlsx', 'format'],
    ['dataset=transactions&environment=test', 'environment'],
    ['dataset=transactions&updated_after=yesterday', 'updated_after'],
    ['dataset=transactions&spreadsheet_safe=maybe', 'spreadsheet_safe'],
  ])('refuses a bad parameter: %s', async (query, param) => {
    const { status, body } = await owner.session.get(pathOf(owner.projectId, query));
    expect({ status, param: body.param }).toEqual({ status: 400, param });
  });

  it.each(starred)('needs the permission %s', async (missing) => {
    const permissions = starred.filter((permission) => permission !== missing);
    const { client } = await createSecretKey(owner.session, owner.projectId, permissions);
    const { status } = await client.get(pathOf(owner.projectId, 'dataset=ledger'));
    expect(status).toBe(403);
  });

  it('accepts a key that has all of them, in its project only', async () => {
    const { client } = await createSecretKey(owner.session, owner.projectId, starred);
    const answer = await client.open(pathOf(owner.projectId, 'dataset=ledger'));
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    const other = await signUp(server);
    expect((await client.get(pathOf(other.projectId, 'dataset=ledger'))).status).toBe(404);
    const viewer = await joinAs(server, 'viewer', owner.projectId);
    expect((await viewer.session.get(pathOf(owner.projectId, 'dataset=ledger'))).status).toBe(403);
  });

  it('waits for the first build of the rows, which it starts', async () => {
    const fresh = await signUp(server);
    const { session, projectId } = fresh;
    const { status, headers, body } = await session.get(pathOf(projectId, 'dataset=subscriptions'));
    expect({ status, message: body.message }).toEqual({
      status: 503,
      message: 'Your data is being prepared. Try again in a few minutes.',
    });
    expect(headers['retry-after']).toBe('60');
    const projects = await server.dataSource.query<{ enabled: boolean }[]>(
      'SELECT enabled FROM report_projects WHERE project_id = $1',
      [projectId],
    );
    expect(projects).toEqual([{ enabled: true }]);
    const added = await session.get(`/v2/projects/${projectId}/audit_logs?limit=1`);
    expect(added.body.items[0].action_type).not.toBe('data_downloaded');
    // The ledger and events need no build.
    expect(await csv(fresh, 'dataset=ledger')).toMatch(/^id,recorded_at/);
  });

  it('refuses a third one at once', async () => {
    const snapshots = server.app.get(ReportSnapshotsService);
    const run = snapshots.run.bind(snapshots);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let waiting = 0;
    const bothWait = new Promise<void>((resolve) => {
      snapshots.run = async (options, work) => {
        if (++waiting === 2) resolve();
        await released;
        return run(options, work);
      };
    });
    try {
      const held = [csv(owner, 'dataset=ledger'), csv(owner, 'dataset=ledger')];
      await bothWait;
      const { status, headers } = await owner.session.get(pathOf(owner.projectId, 'dataset=ledger'));
      expect({ status, retry: headers['retry-after'] }).toEqual({ status: 503, retry: '5' });
      release();
      await Promise.all(held);
    } finally {
      snapshots.run = run;
    }
    expect(await csv(owner, 'dataset=ledger')).toMatch(/^id/);
  });

  it('ends without its last chunk if the database fails in the middle', async () => {
    const { session, projectId } = await signUp(server);
    await server.dataSource.query(
      `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, delivery, body)
       SELECT $1, $2, n, $2, 'TEST', n, 'send',
         json_build_object('text', (SELECT string_agg(md5(n || '-' || m), '') FROM generate_series(1, 20) m))
       FROM generate_series(1, 30000) n`,
      [projectId, new Date(server.clock.nowMs())],
    );
    const { body } = await session.open(pathOf(projectId, 'dataset=events&environment=all'));
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await server.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'tenure-reports' AND datname = current_database()`,
    );
    const readAll = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(readAll()).rejects.toThrow('terminated');
  });
});

describe('the list of data sets', () => {
  it('has their columns', async () => {
    const { session, projectId } = await signUp(server);
    const { body } = await session.get(`/v2/projects/${projectId}/integrations/exports/datasets`);
    expect(body.items.map(({ name, version }: { name: string; version: number }) => [name, version])).toEqual(
      [
        ['transactions', 5],
        ['customers', 1],
        ['subscriptions', 1],
        ['events', 1],
        ['ledger', 1],
        ['deletions', 1],
      ],
    );
    expect(body.items[5]).toEqual({
      object: 'export_dataset',
      name: 'deletions',
      version: 1,
      incremental: 'change',
      supported_until: null,
      columns: [
        { name: 'dataset', type: 'text', optional: false, description: expect.any(String) as string },
        { name: 'key', type: 'json', optional: false, description: expect.any(String) as string },
        { name: 'deleted_at', type: 'time', optional: false, description: expect.any(String) as string },
      ],
    });
    const viewer = await joinAs(server, 'viewer', projectId);
    const path = `/v2/projects/${projectId}/integrations/exports/datasets`;
    expect((await viewer.session.get(path)).status).toBe(200);
  });
});

describe('exports download', () => {
  let owner: SignedUp;
  let folder: string;

  beforeAll(async () => {
    owner = await signUp(server);
    await addFixtureRows(server.dataSource, owner.projectId);
    folder = await mkdtemp(join(tmpdir(), 'tenure-download-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) =>
    runCommand(['exports', 'download', ...args], {
      DATABASE_URL: server.databaseUrl,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
    });

  it('writes a file with every id as it is', async () => {
    const out = join(folder, 'transactions.csv.gz');
    await writeFile(out, 'an older file');
    const options = ['--dataset', 'transactions', '--environment', 'all', '--out', out];
    expect(await run('--project', owner.projectId, ...options)).toEqual({
      status: 0,
      output: '',
      errors: '',
    });
    expect(gunzipSync(await readFile(out)).toString()).toBe(fixtureCsv);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['transactions.csv.gz']);
  });

  it('builds the rows of a project that has none', async () => {
    const { projectId } = await signUp(server);
    const out = join(folder, 'customers.parquet');
    const { status, errors } = await run(
      ...['--project', projectId, '--dataset', 'customers', '--format', 'parquet', '--out', out],
    );
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(await parquetReadObjects({ file: Uint8Array.from(await readFile(out)).buffer })).toEqual([]);
  });

  it.each([
    [['--project', 'proj_none', '--dataset', 'ledger'], 'There is no project proj_none.'],
    [
      ['--project', 'x', '--dataset', 'orders'],
      '--dataset must be one of transactions, customers, subscriptions, events, ledger, deletions.',
    ],
    [['--project', 'x', '--dataset', 'ledger', '--format', 'xlsx'], '--format must be one of csv, parquet.'],
  ])('reports what is wrong: %s', async (args, message) => {
    const { status, errors } = await run(...args, '--out', join(folder, 'none'));
    expect({ status, errors }).toEqual({ status: 1, errors: `${message}\n` });
  });

  it('leaves no file if it cannot be completed', async () => {
    const { status } = await run(
      ...['--project', owner.projectId, '--dataset', 'ledger', '--out', join(folder, 'none', 'file')],
    );
    expect(status).toBe(1);
    expect(await readdir(folder)).not.toContain('none');
  });
});
