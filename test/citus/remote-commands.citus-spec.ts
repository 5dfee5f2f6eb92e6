import type pg from 'pg';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { type CitusDatabase, createDistributedDatabase, describeCitus } from './citus-database.js';
import { runOn } from './databases.mjs';

/** Counts the commands that the coordinator sends to workers: each is a network hop. */
describeCitus('a request', () => {
  let database: CitusDatabase;
  let server: TestServer;
  let store: TestStore;
  const commands: string[] = [];

  beforeAll(async () => {
    database = await createDistributedDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await runOn(database.url, [`ALTER DATABASE ${name} SET citus.log_remote_commands = on`]);
    server = await startTestServer({ databaseUrl: database.url });
    const watched = new WeakSet<pg.PoolClient>();
    const { master: pool } = server.dataSource.driver as unknown as { master: pg.Pool };
    pool.on('acquire', (client) => {
      if (watched.has(client)) return;
      watched.add(client);
      client.on('notice', ({ message = '' }) => {
        if (message.startsWith('issuing ')) commands.push(message.slice('issuing '.length));
      });
    });
    store = await createTestStore(server);
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  async function commandsOf(request: () => Promise<{ status: number }>): Promise<string[]> {
    commands.length = 0;
    expect((await request()).status).toBe(200);
    return [...commands];
  }

  const buy = () => store.sdk.post('/v1/receipts', testReceipt('ann', server.clock.nowMs()));
  const read = () => store.sdk.get('/v1/subscribers/ann');

  it('takes at most 13 remote commands for the receipt of a known customer, and no two-phase commit', async () => {
    await buy();
    server.clock.advanceMs(1_000);
    const sent = await commandsOf(buy);
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.length).toBeLessThanOrEqual(13);
    expect(sent.filter((command) => command.startsWith('PREPARE TRANSACTION'))).toEqual([]);
  });

  it('takes at most two remote commands for customer info', async () => {
    await read();
    const sent = await commandsOf(read);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThanOrEqual(2);
  });
});
