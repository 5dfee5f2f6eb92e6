import { DatabaseService } from '../../src/platform/database/database.service.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import type { MailContent, NewMail, QueuedMail } from '../../src/platform/mail/mail.js';
import { MailsJob } from '../../src/platform/mail/mails.job.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import { expireLeases } from '../support/leases.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const PASSWORD = 'p@ss word/1';
const LINK = 'https://tenure.example/reset-password?token=aVerySecretToken_0123456789012345678901234567';

const content: MailContent = {
  subject: 'Set a new password, Zoë',
  paragraphs: ['Hello Zoë <b>', 'Someone asked for a new password.'],
  action: { label: 'Choose a password', url: LINK },
  reason: 'You get this mail because a new password was asked for.',
};

interface MailState {
  status: string;
  attempts: number;
  hasContent: boolean;
  error: string | null;
}

const sent = { status: 'sent', hasContent: false, error: null };

describe('mails', () => {
  let mailServer: MailServer;
  let server: TestServer;
  let log: string[];

  beforeAll(async () => {
    log = [];
    mailServer = await startMailServer();
    server = await startTestServer({ env: mailServer.env, logTo: (line) => log.push(line) });
  });

  afterEach(() => mailServer.answerWith('accept'));

  afterAll(async () => {
    await server.close();
    await mailServer.close();
  });

  function queue(to: string, changes: Partial<NewMail> = {}): Promise<QueuedMail> {
    const mail = { tenantId: 'usr_1', kind: 'password_reset', to, content, ...changes };
    return server.app.get(DatabaseService).transaction((tx) => server.app.get(MailsService).queue(tx, mail));
  }

  const attempt = (mail: QueuedMail, { app }: TestServer = server): Promise<boolean> =>
    app.get(MailsService).attempt(mail);
  const runJob = ({ app }: TestServer = server): Promise<void> => app.get(MailsJob).drain();
  const countTo = (address: string): number => mailServer.mailsTo(address).length;

  async function stateOf({ tenantId, id }: QueuedMail): Promise<MailState> {
    const [row] = await server.dataSource.query<MailState[]>(
      `SELECT status, attempts, sealed_content IS NOT NULL AS "hasContent", last_error AS error FROM mails
       WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
    return row as MailState;
  }

  /** Another process on the same database. */
  async function withReplica(options: TestServerOptions, use: (replica: TestServer) => Promise<void>) {
    const { databaseUrl, clock } = server;
    const replica = await startTestServer({ databaseUrl, clock, ...options });
    await use(replica).finally(() => replica.close());
  }

  describe('that are written with a change', () => {
    it('sends them in the first attempt after it, with a text and an HTML part', async () => {
      const mail = await queue('zoe@example.com');
      expect(countTo('zoe@example.com')).toBe(0);
      expect(await attempt(mail)).toBe(true);
      const received = mailServer.lastMailTo('zoe@example.com');
      expect(received).toMatchObject({
        from: 'tenure@mail.example',
        to: ['zoe@example.com'],
        subject: 'Set a new password, Zoë',
        links: [LINK],
        headers: {
          from: 'Tenure <tenure@mail.example>',
          to: 'zoe@example.com',
          date: 'Fri, 02 Jan 2026 03:04:05 +0000',
          'auto-submitted': 'auto-generated',
        },
      });
      expect(received.headers).not.toHaveProperty('list-unsubscribe');
      expect(received.text).toContain('Hello Zoë <b>\n');
      expect(received.html).toContain('<p>Hello Zoë &lt;b&gt;</p>');
      expect(await stateOf(mail)).toEqual({ ...sent, attempts: 1 });
    });

    it('sends none if the change is not committed', async () => {
      const queued = server.app.get(DatabaseService).transaction(async (tx) => {
        const mail = { tenantId: 'usr_1', kind: 'invite', to: 'undone@example.com', content };
        await server.app.get(MailsService).queue(tx, mail);
        throw new Error('undone');
      });
      await expect(queued).rejects.toThrow('undone');
      await expireLeases(server, 'mails');
      await runJob();
      expect(countTo('undone@example.com')).toBe(0);
    });

    it('names the ways to stop them, in headers that no length breaks', async () => {
      const unsubscribeUrl = 'https://tenure.example/settings/mails';
      const oneClickUnsubscribeUrl = `https://tenure.example/auth/alert_emails/stop?token=${'a'.repeat(300)}`;
      const mail = await queue('alerts@example.com', {
        content: { ...content, unsubscribeUrl, oneClickUnsubscribeUrl },
      });
      expect(await attempt(mail)).toBe(true);
      const { headers, links } = mailServer.lastMailTo('alerts@example.com');
      expect(headers).toMatchObject({
        'list-unsubscribe': `<${oneClickUnsubscribeUrl}>`,
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      });
      expect(links).toEqual([LINK, unsubscribeUrl]);
    });

    it('reaches addresses that are not ASCII', async () => {
      expect(await attempt(await queue('zoë@exämple.com'))).toBe(true);
      expect(mailServer.mails.at(-1)?.to).toEqual(['zoë@exämple.com']);
    });

    it.each(['a@example.com\r\nBcc: b@example.com', 'a@example.com, b@example.com', '<a@example.com>', 'a'])(
      'sends none to an invalid address: %j',
      async (to) => {
        const before = mailServer.mails.length;
        const mail = await queue(to);
        expect(await attempt(mail)).toBe(false);
        expect(await stateOf(mail)).toMatchObject({ status: 'failed', hasContent: false });
        expect(mailServer.mails).toHaveLength(before);
      },
    );

    it('shows neither address nor link in the database and the log', async () => {
      const mail = await queue('secret@example.com');
      mailServer.answerWith({ at: 'RCPT TO', reply: `451 <secret@example.com> ${LINK}` });
      await attempt(mail);
      const [row] = await server.dataSource.query<{ text: string }[]>(
        'SELECT m::text AS text FROM mails m WHERE tenant_id = $1 AND id = $2',
        [mail.tenantId, mail.id],
      );
      expect(row?.text).toContain('password_reset');
      expect(log.some((line) => line.includes(mail.id))).toBe(true);
      for (const text of [row?.text, ...log]) expect(text).not.toMatch(/secret@example|aVerySecretToken/);
    });
  });

  describe('whose first attempt fails', () => {
    it('sends them by the job', async () => {
      const mail = await queue('ada@example.com');
      mailServer.answerWith({ at: 'RCPT TO', reply: '451 4.3.0 later' });
      expect(await attempt(mail)).toBe(false);
      const error = 'The mail server refused the mail: 451 4.3.0 at RCPT TO.';
      expect(await stateOf(mail)).toEqual({ status: 'pending', attempts: 1, hasContent: true, error });
      mailServer.answerWith('accept');
      await runJob();
      expect(countTo('ada@example.com')).toBe(0);
      server.clock.advanceMs(60_000);
      await runJob();
      expect(countTo('ada@example.com')).toBe(1);
      expect(await stateOf(mail)).toEqual({ ...sent, attempts: 2 });
    });

    it('gives them up after a day', async () => {
      const mail = await queue('never@example.com');
      mailServer.answerWith({ at: 'MAIL FROM', reply: '550 5.7.1 tenure@mail.example may not send' });
      expect(await attempt(mail)).toBe(false);
      let hours = 0;
      for (; (await stateOf(mail)).status === 'pending'; hours++) {
        server.clock.advanceMs(DAY_MS / 24);
        await runJob();
      }
      expect(hours).toBeGreaterThanOrEqual(20);
      expect(hours).toBeLessThanOrEqual(24);
      const error = 'The mail server refused the mail: 550 5.7.1 at MAIL FROM.';
      expect(await stateOf(mail)).toMatchObject({ status: 'failed', hasContent: false, error });
    });

    it.each([
      { at: 'RCPT TO', reply: '550 5.1.1 no such user' },
      { at: 'DATA', reply: '554 5.7.1 spam' },
    ] as const)('gives them up at once after $reply', async (answer) => {
      const mail = await queue('gone@example.com');
      mailServer.answerWith(answer);
      expect(await attempt(mail)).toBe(false);
      expect(await stateOf(mail)).toMatchObject({ status: 'failed', attempts: 1, hasContent: false });
    });

    it('sends none after their link has expired', async () => {
      const expiresAtMs = server.clock.nowMs() + 3_600_000;
      const mail = await queue('late@example.com', { expiresAtMs });
      await expireLeases(server, 'mails');
      server.clock.advanceMs(3_600_000);
      await runJob();
      expect(await stateOf(mail)).toMatchObject({ status: 'failed', hasContent: false });
      expect(countTo('late@example.com')).toBe(0);
    });

    it('answers within seconds if the server hangs, and ends as they end', async () => {
      mailServer.answerWith('hang');
      const mail = await queue('slow@example.com');
      const waiting = attempt(mail);
      expect(await waiting).toBe(false);
      await runJob();
      expect(await stateOf(mail)).toMatchObject({ status: 'pending', attempts: 0 });
      mailServer.answerWith('accept');
      mailServer.dropConnections();
      await mailServer.received(mailServer.mails.length + 1);
      // Waits for the attempt.
      await server.app.get(MailsService).onApplicationShutdown();
      expect(countTo('slow@example.com')).toBe(1);
      expect(await stateOf(mail)).toEqual({ ...sent, attempts: 1 });
    });
  });

  describe('whose process died', () => {
    it('sends those before the first attempt by the job of another', async () => {
      const mail = await queue('bob@example.com');
      await withReplica({ env: mailServer.env }, async (replica) => {
        await runJob(replica);
        expect(countTo('bob@example.com')).toBe(0);
        await expireLeases(server, 'mails');
        await Promise.all([runJob(replica), runJob()]);
      });
      expect(countTo('bob@example.com')).toBe(1);
      // The process was only slow.
      expect(await attempt(mail)).toBe(false);
      expect(countTo('bob@example.com')).toBe(1);
    });

    it('sends those before the outcome was recorded again as the same message', async () => {
      const mail = await queue('twice@example.com');
      const [row] = await server.dataSource.query<{ content: string }[]>(
        'SELECT sealed_content AS content FROM mails WHERE tenant_id = $1 AND id = $2',
        [mail.tenantId, mail.id],
      );
      expect(await attempt(mail)).toBe(true);
      await server.dataSource.query(
        `UPDATE mails SET status = 'pending', sealed_content = $3 WHERE tenant_id = $1 AND id = $2`,
        [mail.tenantId, mail.id, row?.content],
      );
      await runJob();
      const [first, second] = mailServer.mailsTo('twice@example.com');
      expect(first?.headers['message-id']).toMatch(/^<[0-9a-f]{32}@mail\.example>$/);
      expect([second?.headers['message-id'], second?.headers.date]).toEqual([
        first?.headers['message-id'],
        first?.headers.date,
      ]);
    });
  });

  it('deletes them a week after they were written, unless they are pending', async () => {
    const old = await queue('old@example.com');
    await attempt(old);
    const waiting = await queue('waiting@example.com');
    server.clock.advanceMs(7 * DAY_MS);
    const recent = await queue('recent@example.com');
    await attempt(recent);
    await server.app.get(CleanupsJob).run();
    expect([await stateOf(old), await stateOf(waiting), await stateOf(recent)]).toEqual([
      undefined,
      expect.objectContaining({ status: 'pending' }),
      expect.objectContaining({ status: 'sent' }),
    ]);
  });

  it('writes them to the log, links included, without a mail server', async () => {
    const lines: string[] = [];
    await withReplica({ logTo: (line) => lines.push(line) }, async (replica) => {
      const mail = await queue('nobody@example.com');
      expect(await attempt(mail, replica)).toBe(true);
      expect(await stateOf(mail)).toEqual({ ...sent, attempts: 1 });
    });
    const found = lines.filter((line) => line.includes('nobody@example.com'));
    expect(found).toHaveLength(1);
    expect(JSON.parse(found[0] ?? '')).toMatchObject({
      level: 'info',
      msg: 'a mail is written here because SERVICE_SMTP_URL is not set',
      kind: 'password_reset',
      subject: 'Set a new password, Zoë',
      text: expect.stringContaining(`Choose a password:\n${LINK}\n`),
    });
  });

  describe('over TLS', () => {
    let tlsServer: MailServer;
    let lines: string[];

    beforeAll(async () => {
      tlsServer = await startMailServer({
        disabledCommands: [],
        logger: false,
        onAuth: ({ username, password }, _session, done) =>
          password === PASSWORD ? done(null, { user: username }) : done(new Error('wrong password')),
      });
    });

    beforeEach(() => (lines = []));

    afterAll(() => tlsServer.close());

    async function attemptBy(
      query: string,
      password: string,
    ): Promise<{ isSent: boolean; state: MailState }> {
      const credentials = `tenure:${encodeURIComponent(password)}`;
      const env = {
        SERVICE_SMTP_URL: `smtp://${credentials}@127.0.0.1:${tlsServer.port}${query}`,
        SERVICE_MAIL_FROM: 'Tenure, Inc. <tenure@mail.example>',
        SERVICE_MAIL_REPLY_TO: 'Help <help@mail.example>',
      };
      const mail = await queue('tls@example.com');
      let isSent = false;
      await withReplica({ env, logTo: (line) => lines.push(line) }, async (replica) => {
        isSent = await attempt(mail, replica);
      });
      return { isSent, state: await stateOf(mail) };
    }

    it('sends them after STARTTLS and the sign-in', async () => {
      expect(await attemptBy('?tls.rejectUnauthorized=false', PASSWORD)).toMatchObject({ isSent: true });
      expect(tlsServer.lastMailTo('tls@example.com')).toMatchObject({
        secure: true,
        user: 'tenure',
        from: 'tenure@mail.example',
        headers: { from: '"Tenure, Inc." <tenure@mail.example>', 'reply-to': 'Help <help@mail.example>' },
      });
    });

    it('waits while the certificate is not trusted, and sends nothing without encryption', async () => {
      const before = tlsServer.mails.length;
      const { isSent, state } = await attemptBy('', PASSWORD);
      expect([isSent, state.status]).toEqual([false, 'pending']);
      expect(tlsServer.mails).toHaveLength(before);
    });

    it('waits while the password is wrong, which is never logged', async () => {
      const { isSent, state } = await attemptBy('?tls.rejectUnauthorized=false', 'wr@ng-password');
      expect(isSent).toBe(false);
      expect(state).toMatchObject({ status: 'pending', error: expect.stringMatching(/: 535.* at AUTH/) });
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).not.toMatch(/wr@ng|wr%40ng/);
    });
  });
});
