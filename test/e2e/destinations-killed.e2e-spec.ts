import { setTimeout as pause } from 'node:timers/promises';
import { type DestinationType, sampleEvent } from '../../libs/destinations/index.js';
import { addDestination } from '../support/arrange-destinations.js';
import { createTestStore } from '../support/arrange-store.js';
import { databaseSettings } from '../support/database/index.js';
import { DestinationFakes } from '../support/destination-fakes/destination-fakes.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { recordEvent } from '../support/webhook-outbox.js';

const EVENTS = 1000;
const types: DestinationType[] = ['segment', 'amplitude', 'mixpanel', 'customerio', 'braze'];
const KILLS = 2;

describe('servers that are killed while they send to five destinations', () => {
  let arranger: TestServer;
  let fakes: DestinationFakes;
  let env: NodeJS.ProcessEnv;
  let projectId: string;
  let server: ServerProcess | null = null;

  beforeAll(async () => {
    fakes = new DestinationFakes();
    await fakes.start();
    const settings = { SERVICE_TEST_STORES: 'true', SERVICE_DESTINATIONS_URL: fakes.url };
    // The arranging server sends nothing: it runs no jobs.
    arranger = await startTestServer({
      env: { ...settings, SERVICE_ALLOW_SIGNUP: 'true', SERVICE_ROLE: 'api' },
    });
    arranger.clock.setMs(Date.now());
    env = {
      ...databaseSettings(arranger.databaseUrl),
      ...settings,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'silent',
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      SERVICE_WEBHOOK_LEASE_MS: '5000',
    };
    ({ projectId } = await createTestStore(arranger));
    await Promise.all(types.map((type) => addDestination(arranger, projectId, type, fakes.url)));
  });

  afterAll(async () => {
    await server?.stop();
    await arranger.close();
    await fakes.close();
  });

  const requests = (): number => types.reduce((total, type) => total + fakes.tools[type].requests.length, 0);

  async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isDone())) await pause(20);
  }

  async function areDelivered(): Promise<boolean> {
    const [row] = await arranger.dataSource.query<{ open: number }[]>(
      `SELECT count(*)::int AS open FROM webhook_deliveries WHERE project_id = $1 AND status <> 'delivered'`,
      [projectId],
    );
    return row?.open === 0;
  }

  it('bring every event to each of them at least once, with the same id every time', async () => {
    for (let n = 0; n < EVENTS; n++) {
      const renewal = { ...sampleEvent('renewal', [`user-${n}`]), environment: 'SANDBOX' };
      await recordEvent(arranger, projectId, { body: (id) => JSON.stringify({ ...renewal, id }) });
    }
    for (let kill = 0; kill < KILLS; kill++) {
      server = await startServerProcess(arranger.databaseUrl, env);
      const enough = requests() + 700;
      await until(() => requests() >= enough);
      process.kill(server.pid, 'SIGKILL');
    }
    server = await startServerProcess(arranger.databaseUrl, env);
    await until(areDelivered);
    for (const type of types) {
      const users = new Set(fakes.tools[type].events.map(({ user }) => user));
      expect([type, users.size]).toEqual([type, EVENTS]);
    }
    // Each kill left deliveries behind whose requests had been sent; the tools that recognize events count them once.
    expect(requests()).toBeGreaterThan(types.length * EVENTS + EVENTS);
    for (const type of ['segment', 'amplitude', 'mixpanel', 'customerio'] as const)
      expect([type, fakes.tools[type].events.length]).toEqual([type, EVENTS]);
  });
});
