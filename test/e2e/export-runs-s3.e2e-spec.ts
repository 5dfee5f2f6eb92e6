import { ManualClock } from '../../libs/kernel/index.js';
import { ExportRunsJob } from '../../src/exports/scheduled-exports/runs/export-runs.job.js';
import type { Json } from '../support/api-client.js';
import { signUp } from '../support/arrange.js';
import { ExportsWorld, s3Destination } from '../support/exports/arrange-exports.js';
import { addFixtureRows } from '../support/exports/report-rows.js';
import { type S3Peer, type SeenRequest, startS3Peer } from '../support/file-stores/s3-peer.js';
import { expireLeases } from '../support/leases.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const isPart = ({ method, query }: SeenRequest): boolean =>
  method === 'PUT' && query['partNumber'] !== undefined;
const isCompletion = ({ method, query }: SeenRequest): boolean =>
  method === 'POST' && query['uploadId'] !== undefined;
const isManifest = ({ method, key }: SeenRequest): boolean => method === 'PUT' && key.includes('manifest_');

describe('runs of exports to S3', () => {
  let peer: S3Peer;
  let server: TestServer;
  let world: ExportsWorld;

  const start = (more: object = {}): Promise<TestServer> =>
    startTestServer({
      clock: new ManualClock(Date.now()),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
      ...more,
    });

  beforeAll(async () => {
    peer = await startS3Peer();
    server = await start();
  });

  afterAll(async () => {
    await server.close();
    await peer.close();
  });

  afterEach(() => peer.hangUp());

  beforeEach(async () => {
    peer.fault = () => undefined;
    peer.requests.length = 0;
    world = new ExportsWorld(server, await signUp(server));
    await addFixtureRows(server.dataSource, world.projectId);
  });

  const create = (): Promise<Json> => world.create({ ...s3Destination(peer), prefix: world.projectId });
  const runOf = (exportId: string, id: string): Promise<Json> => world.get(`/${exportId}/runs/${id}`);
  /** Requests of this test: the process of an earlier one may still repeat one that was never answered. */
  const seen = (matches: (request: SeenRequest) => boolean): SeenRequest[] =>
    peer.requests.filter((request) => request.key.startsWith(world.projectId) && matches(request));
  /** Takes over runs whose process is taken for dead. */
  const takeOver = async (other: TestServer): Promise<void> => {
    await expireLeases(server, 'export_runs');
    await other.app.get(ExportRunsJob).drain();
  };

  it('uploads files in parts and writes the manifest last', async () => {
    const { id } = await create();
    expect(await world.run(id)).toMatchObject({ state: 'succeeded', attempt: 1, rows: 13 });
    expect(peer.requests.at(-1)).toMatchObject({ method: 'PUT', key: expect.stringContaining('manifest_') });
    expect(peer.openUploads.size).toBe(0);
  });

  it('counts a file as complete whose answer was lost', async () => {
    const { id } = await create();
    let isLost = false;
    peer.fault = (request) => {
      if (isLost || !isCompletion(request)) return undefined;
      isLost = true;
      return 'lost';
    };
    expect(await world.run(id)).toMatchObject({ state: 'succeeded', attempt: 1 });
    expect([isLost, peer.openUploads.size]).toEqual([true, 0]);
  });

  it('fails at once without a permission, and leaves nothing open', async () => {
    const { id } = await create();
    peer.fault = (request) => (isPart(request) ? { status: 403, code: 'AccessDenied' } : undefined);
    const run = await world.run(id);
    expect(run).toMatchObject({ state: 'failed', attempt: 1, error: { code: 'access_denied' }, files: [] });
    expect(peer.openUploads.size).toBe(0);
    expect(seen(isManifest)).toEqual([]);
    expect((await world.get(`/${id}`)).cursor.at).toBeNull();
  });

  it('tries again with new names if another file has one of them', async () => {
    const { id } = await create();
    let isTaken = true;
    peer.fault = (request) => {
      if (!isTaken || !request.key.includes('manifest_')) return undefined;
      if (request.method !== 'GET') return { status: 412, code: 'PreconditionFailed' };
      isTaken = false;
      return { status: 200, body: 'another manifest' };
    };
    const run = await world.run(id);
    expect(run).toMatchObject({ state: 'succeeded', attempt: 2 });
    expect(peer.openUploads.size).toBe(0);
    // The file of the first attempt is gone, because no manifest names it.
    expect(seen(({ method, query }) => method === 'DELETE' && query['uploadId'] === undefined)).toHaveLength(
      1,
    );
  });

  it('never deletes the other file, also after the last attempt', async () => {
    const { id } = await create();
    peer.fault = (request) => {
      if (!request.key.includes('manifest_')) return undefined;
      if (request.method === 'GET') return { status: 200, body: 'another manifest' };
      return { status: 412, code: 'PreconditionFailed' };
    };
    const run = await world.run(id);
    expect(run).toMatchObject({ state: 'failed', attempt: 3, error: { code: 'already_exists' } });
    const deleted = seen(({ method, query }) => method === 'DELETE' && query['uploadId'] === undefined);
    expect(deleted.filter(({ key }) => key.includes('manifest_'))).toEqual([]);
    expect(deleted).toHaveLength(3);
  });

  it('cancels a run while it writes', async () => {
    const { id } = await create();
    let runId = '';
    let canceled: Promise<unknown> | undefined;
    // The part fails once the run is canceled, and is sent again.
    peer.fault = (request) => {
      if (canceled || !isPart(request)) return undefined;
      canceled = world.post(`/${id}/runs/${runId}/actions/cancel`, {});
      return { status: 503, code: 'SlowDown' };
    };
    runId = (await world.request(id)).id;
    await world.drain();
    await canceled;
    const run = await runOf(id, runId);
    expect(run.state).toBe('canceled');
    expect([peer.openUploads.size, seen(isManifest)]).toEqual([0, []]);
  });

  it('begins again in another process with new names if one dies while it writes', async () => {
    const other = await start({ databaseUrl: server.databaseUrl, clock: server.clock });
    try {
      const { id } = await create();
      let isHeld = false;
      const held = new Promise<void>((resolve) => {
        peer.fault = (request) => {
          if (isHeld || !isPart(request)) return undefined;
          isHeld = true;
          resolve();
          return 'silent';
        };
      });
      const { id: runId } = await world.request(id);
      await held;
      await takeOver(other);
      const run = await runOf(id, runId);
      expect(run).toMatchObject({ state: 'succeeded', attempt: 2, mode_reason: 'first' });
      expect(peer.openUploads.size).toBe(0);
      expect(seen(isManifest)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('completes the same uploads in another process if one dies while it completes', async () => {
    const other = await start({ databaseUrl: server.databaseUrl, clock: server.clock });
    try {
      const { id } = await create();
      let isHeld = false;
      const held = new Promise<void>((resolve) => {
        peer.fault = (request) => {
          if (isHeld || !isManifest(request)) return undefined;
          isHeld = true;
          resolve();
          return 'silent';
        };
      });
      const { id: runId } = await world.request(id);
      await held;
      await takeOver(other);
      expect(await runOf(id, runId)).toMatchObject({ state: 'succeeded', attempt: 1 });
      expect(seen(isPart)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('hands a run on when its process stops, and the attempt does not count', async () => {
    const stopping = await start({ databaseUrl: server.databaseUrl, clock: server.clock });
    const { id } = await create();
    let isHeld = false;
    const held = new Promise<void>((resolve) => {
      peer.fault = (request) => {
        if (isHeld || !isPart(request)) return undefined;
        isHeld = true;
        resolve();
        return 'silent';
      };
    });
    // Queued by hand, so that the other process takes it.
    await server.dataSource.query(
      `INSERT INTO export_runs (project_id, id, export_id, destination_id, state, trigger, requested_mode, mode, due_at,
         created_at)
       SELECT project_id, 'exr_stopped', id, destination_id, 'queued', 'cli', 'full', 'full', $2, $2 FROM exports
       WHERE id = $1`,
      [id, new Date(server.clock.nowMs())],
    );
    stopping.app.get(ExportRunsJob).wake();
    await held;
    await stopping.close();
    expect(await runOf(id, 'exr_stopped')).toMatchObject({ state: 'queued', attempt: 0 });
    expect(peer.openUploads.size).toBe(0);
    await world.drain();
    expect(await runOf(id, 'exr_stopped')).toMatchObject({ state: 'succeeded', attempt: 1 });
  });

  it('gives up after three processes died', async () => {
    const { id } = await create();
    const runId = 'exr_interrupted';
    await server.dataSource.query(
      `INSERT INTO export_runs (project_id, id, export_id, destination_id, state, trigger, requested_mode, mode, attempt,
         due_at, started_at, created_at)
       SELECT project_id, $3, id, destination_id, 'writing', 'cli', 'full', 'full', 3, $2, $2, $2 FROM exports
       WHERE id = $1`,
      [id, new Date(server.clock.nowMs()), runId],
    );
    await world.drain();
    expect(await runOf(id, runId)).toMatchObject({ state: 'failed', error: { code: 'interrupted' } });
  });
});
