import pg from 'pg';
import { signUp } from '../support/arrange.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

describe('a server that is killed between a commit and its mail', () => {
  let database: TestDatabase;
  let mailServer: MailServer;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    mailServer = await startMailServer();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await mailServer.close();
    await database.drop();
  });

  function start(): Promise<ServerProcess> {
    const settings = databaseSettings(database.url);
    return startServerProcess(settings.DATABASE_URL ?? '', {
      ...settings,
      ...mailServer.env,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
    });
  }

  it('has written the mail, which another process sends, with a link that works', async () => {
    const killed = await start();
    const { session, projectId } = await signUp(killed);
    mailServer.answerWith('hang');
    const body = { email: 'invited@example.com', role: 'developer' };
    const answer = session.post(`/v2/projects/${projectId}/invites`, body).catch(() => 'no answer');
    await mailServer.begun(1);
    process.kill(killed.pid, 'SIGKILL');
    expect(await answer).toBe('no answer');

    const { rows } = await client.query('SELECT status, attempts FROM mails');
    expect(rows).toEqual([{ status: 'pending', attempts: 0 }]);
    expect(mailServer.mails).toEqual([]);
    mailServer.answerWith('accept');
    const other = await start();
    // Makes it due.
    await client.query(`UPDATE mails SET lease_until = now() - interval '1 second'`);
    await mailServer.received(1);
    const link = mailServer.lastLinkTo('invited@example.com');
    const token = new URLSearchParams(link.hash.slice(1)).get('token');
    const invite = await other.http.get(`/auth/invites/${token}`);
    expect([invite.status, invite.body]).toEqual([
      200,
      expect.objectContaining({ email: 'invited@example.com' }),
    ]);
    expect(await other.stop()).toBe(0);
    expect((await client.query('SELECT status, attempts FROM mails')).rows).toEqual([
      { status: 'sent', attempts: 1 },
    ]);
  });
});
