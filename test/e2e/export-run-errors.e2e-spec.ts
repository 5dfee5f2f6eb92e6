import { jest } from '@jest/globals';
import pg from 'pg';
import { ManualClock } from '../../libs/kernel/index.js';
import { DestinationStoresService } from '../../src/exports/destinations/destination-stores.service.js';
import { ReportSnapshotsService } from '../../src/platform/database/connections/report-snapshots.service.js';
import { ReplicasService } from '../../src/platform/database/replicas/replicas.service.js';
import type { Json } from '../support/api-client.js';
import { signUp } from '../support/arrange.js';
import { ExportsWorld, s3Destination, transactions } from '../support/exports/arrange-exports.js';
import { addFixtureRows } from '../support/exports/report-rows.js';
import { type S3Fault, type S3Peer, type SeenRequest, startS3Peer } from '../support/file-stores/s3-peer.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
/** Pauses before the retries of one request. */
const RETRIES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

const isPart = ({ query }: SeenRequest): boolean => query['partNumber'] !== undefined;

describe('runs of exports that fail', () => {
  let peer: S3Peer;
  let server: TestServer;
  let world: ExportsWorld;
  let slept: number[];

  beforeAll(async () => {
    peer = await startS3Peer();
    server = await startTestServer({
      clock: new ManualClock(Date.now()),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
  });

  afterAll(async () => {
    await server.close();
    await peer.close();
  });

  beforeEach(async () => {
    // Rows are as new as the database's clock says.
    server.clock.setMs(Date.now());
    peer.fault = () => undefined;
    peer.requests.length = 0;
    peer.openUploads.clear();
    slept = [];
    const stores = server.app.get(DestinationStoresService);
    const open = stores.open.bind(stores);
    // No test waits for pauses; a store that is silent has timed out soon.
    jest.spyOn(stores, 'open').mockImplementation((projectId, destination) =>
      open(projectId, destination, {
        idleMs: 250,
        random: () => 1,
        sleep: (ms) => Promise.resolve(void slept.push(ms)),
      }),
    );
    world = new ExportsWorld(server, await signUp(server));
    await addFixtureRows(server.dataSource, world.projectId);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    peer.hangUp();
  });

  const create = (change: object = {}): Promise<Json> =>
    world.create({ ...s3Destination(peer), prefix: world.projectId }, change);
  /** The run after some time. */
  const after = async (ms: number, run: Json): Promise<Json> => {
    server.clock.advanceMs(ms);
    await world.drain();
    return world.get(`/${run.export_id}/runs/${run.id}`);
  };
  const visible = async (): Promise<string[]> =>
    [...(await peer.files('exports')).keys()].filter((key) => key.startsWith(world.projectId));

  const temporary: [string, string, S3Fault][] = [
    ['timeout', 'did not answer', 'silent'],
    ['unreachable', 'The connection to the store failed', 'cut'],
    ['store_error', 'SlowDown', { status: 503, code: 'SlowDown' }],
  ];

  it.each(temporary)('try three times, five minutes apart, in case of %s', async (code, message, fault) => {
    const { id } = await create();
    peer.fault = (request) => (isPart(request) ? fault : undefined);
    const error = { code, message: expect.stringContaining(message) };
    const first = await world.run(id);
    expect(first).toMatchObject({ state: 'queued', attempt: 1, error, files: [] });
    expect([slept, peer.openUploads.size]).toEqual([RETRIES_MS, 0]);
    expect(await after(5 * MINUTE_MS - 1_000, first)).toMatchObject({ state: 'queued', attempt: 1 });
    expect(await after(1_000, first)).toMatchObject({ state: 'queued', attempt: 2, error });
    const last = await after(5 * MINUTE_MS, first);
    expect(last).toMatchObject({ state: 'failed', attempt: 3, error, files: [] });
    expect(slept).toEqual([...RETRIES_MS, ...RETRIES_MS, ...RETRIES_MS]);
    expect([peer.openUploads.size, await visible()]).toEqual([0, []]);
    const { cursor, consecutive_failures: failures } = await world.get(`/${id}`);
    expect([cursor.at, failures]).toEqual([null, 1]);
  });

  it('succeed if the store recovers before the last attempt', async () => {
    const { id } = await create();
    peer.fault = (request) => (isPart(request) ? { status: 503, code: 'SlowDown' } : undefined);
    const first = await world.run(id);
    peer.fault = () => undefined;
    const second = await after(5 * MINUTE_MS, first);
    expect(second).toMatchObject({ state: 'succeeded', attempt: 2, mode_reason: 'first', error: null });
    expect(await visible()).toHaveLength(2);
  });

  it('only repeat what is missing if all files were written, and leave none behind', async () => {
    const { id } = await create({ datasets: [transactions, { name: 'customers', version: 1 }] });
    peer.fault = ({ method, key, query }) =>
      method === 'POST' && query['uploadId'] !== undefined && key.includes('customers_')
        ? { status: 500, code: 'InternalError' }
        : undefined;
    const first = await world.run(id);
    expect(first).toMatchObject({ state: 'completing', attempt: 2, error: { code: 'store_error' } });
    expect(await visible()).toHaveLength(1);
    expect(await after(5 * MINUTE_MS, first)).toMatchObject({ state: 'completing', attempt: 3 });
    expect(await after(5 * MINUTE_MS, first)).toMatchObject({ state: 'failed', attempt: 3 });
    expect(peer.requests.filter(isPart)).toHaveLength(2);
    expect([peer.openUploads.size, await visible()]).toEqual([0, []]);
  });

  const permanent: [string, string, S3Fault][] = [
    ['access_denied', 'refused the credentials', { status: 403, code: 'AccessDenied' }],
    ['not_found', 'NoSuchBucket', { status: 404, code: 'NoSuchBucket' }],
    ['wrong_region', 'eu-west-1', { status: 301, headers: { 'x-amz-bucket-region': 'eu-west-1' } }],
    ['no_space', 'no space left', { status: 507 }],
  ];

  it.each(permanent)('end at once in case of %s', async (code, message, fault) => {
    const { id } = await create();
    peer.fault = (request) => (isPart(request) ? fault : undefined);
    expect(await world.run(id)).toMatchObject({
      state: 'failed',
      attempt: 1,
      error: { code, message: expect.stringContaining(message) },
    });
    expect([slept, peer.requests.filter(isPart).length, peer.openUploads.size]).toEqual([[], 1, 0]);
  });

  it('end at once if reading takes longer than a snapshot may', async () => {
    const { id } = await create();
    const snapshots = server.app.get(ReportSnapshotsService);
    const run = snapshots.run.bind(snapshots);
    const limited = jest
      .spyOn(snapshots, 'run')
      .mockImplementation((options, work) => run({ ...options, limitMs: 250 }, work));
    const blocker = server.dataSource.createQueryRunner();
    await blocker.startTransaction();
    try {
      await blocker.query('LOCK TABLE report_transactions');
      expect(await world.run(id)).toMatchObject({
        state: 'failed',
        attempt: 1,
        error: { code: 'snapshot_expired', message: expect.stringContaining('Reading took longer than') },
      });
    } finally {
      await blocker.rollbackTransaction();
      await blocker.release();
    }
    limited.mockRestore();
    expect(await world.run(id)).toMatchObject({ state: 'succeeded' });
  });

  it('read the primary at once if the replica cancels the read', async () => {
    const { id } = await create();
    // A second connection to the same database stands in for a replica, which cancels the read of rows.
    const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 1 });
    const client = await pool.connect();
    const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>;
    const conflict = Object.assign(new Error('canceling statement due to conflict with recovery'), {
      code: '40001',
    });
    let conflicts = 0;
    const replica = Object.assign(Object.create(client) as pg.PoolClient, {
      query: (...values: [{ text?: string } | string]) => {
        const text = typeof values[0] === 'string' ? values[0] : (values[0].text ?? '');
        if (!text.includes('report_transactions')) return query(...values);
        conflicts++;
        return Promise.reject(conflict);
      },
    });
    const replicas = server.app.get(ReplicasService);
    jest.spyOn(replicas, 'count', 'get').mockReturnValue(1);
    const taken = jest.spyOn(replicas, 'takeFresh').mockResolvedValue(replica);
    expect(await world.run(id)).toMatchObject({ state: 'succeeded', attempt: 2, error: null, rows: 13 });
    expect([conflicts, taken.mock.calls.length]).toEqual([1, 1]);
    expect(await visible()).toHaveLength(2);
    await pool.end();
  });
});
