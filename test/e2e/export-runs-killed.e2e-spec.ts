import { ManualClock } from '../../libs/kernel/index.js';
import { signUp } from '../support/arrange.js';
import { ExportsWorld, s3Destination } from '../support/exports/arrange-exports.js';
import { KilledRuns } from '../support/exports/killed-runs.js';
import { addFixtureRows } from '../support/exports/report-rows.js';
import { type S3Peer, type SeenRequest, startS3Peer } from '../support/file-stores/s3-peer.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** A process sends these requests to S3 in this order. */
const writing = ['start deletions', 'write deletions', 'start transactions', 'write transactions'];
const completing = ['complete deletions', 'complete transactions', 'store manifest'];
const looking = ['look up deletions', 'look up manifest'];

function stepOf({ method, key, query }: SeenRequest): string {
  const [, file] = /(deletions|transactions|manifest)_/.exec(key) ?? [];
  if (method === 'GET') return `look up ${file}`;
  if (query['uploads'] !== undefined) return `start ${file}`;
  if (query['partNumber'] !== undefined) return `write ${file}`;
  return query['uploadId'] === undefined ? `store ${file}` : `complete ${file}`;
}

describe('exports whose process is killed during a run', () => {
  let server: TestServer;
  let world: ExportsWorld;

  beforeAll(async () => {
    // This process leaves runs to the one that is killed.
    server = await startTestServer({
      clock: new ManualClock(Date.now()),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true', SERVICE_ROLE: 'api' },
    });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    world = new ExportsWorld(server, await signUp(server));
    await addFixtureRows(server.dataSource, world.projectId);
  });

  describe('to S3', () => {
    let peer: S3Peer;

    beforeAll(async () => {
      peer = await startS3Peer();
    });

    afterAll(() => peer.close());

    it('deliver each row once and the manifest last, at whichever request that was', async () => {
      const destination = s3Destination(peer);
      const names = [...writing, ...completing].flatMap((step) => [`before: ${step}`, `after: ${step}`]);
      const runs = new KilledRuns(world);
      await runs.arrange(
        [...names, ...looking.map((step) => `before: ${step}`)].map((name) => ({
          name,
          destination,
          attempt: writing.some((step) => name.endsWith(step)) ? 2 : 1,
        })),
      );
      peer.fault = (request) => {
        const point = runs.pointOf(request.key);
        if (!point?.endsWith(stepOf(request))) return undefined;
        if (point.startsWith('after')) return { onStored: () => runs.hold(point) };
        runs.hold(point);
        return 'silent';
      };
      await runs.kill();
      peer.fault = () => undefined;
      peer.hangUp();
      await runs.complete();
      await runs.check(await peer.files('exports'));
      // No process knows the ids of the uploads whose start was not answered: a rule of the bucket deletes those.
      expect(peer.openUploads.size).toBe(2);
    });
  });
});
