import { DatabaseService } from '../../src/platform/database/database.service.js';
import type { MailContent, NewMail, QueuedMail } from '../../src/platform/mail/mail.js';
import { MailsJob } from '../../src/platform/mail/mails.job.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import { expireLeases } from '../support/leases.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const LINK = 'https://tenure.example/reset-password?token=aVerySecretToken_0123456789012345678901234567';

const content: MailContent = {
  subject: 'Set a new password',
  paragraphs: ['Hello Zoë <b>', 'Somebody asked for a new password.'],
  action: { label: 'Choose a password', url: LINK },
  reason: 'You get this mail because a new password was asked for.',
};

interface MailState {
  status: string;
  attempts: number;
  has_content: boolean;
  last_error: string | null;
}

describe('mails', () => {
  let mailServer: MailServer;
  let server: TestServer;

  beforeAll(async () => {
    mailServer = await startMailServer();
    server = await startTestServer({ env: mailServer.env });
  });

  afterEach(() => mailServer.answerWith('accept'));

  afterAll(async () => {
    await server.close();
    await mailServer.close();
  });

  function queue(
    to: string,
    changes: Partial<NewMail> = {},
    { app }: TestServer = server,
  ): Promise<QueuedMail> {
    const mail = { tenantId: 'usr_1', kind: 'password_reset', to, content, ...changes };
    return app.get(DatabaseService).transaction((tx) => app.get(MailsService).queue(tx, mail));
  }

  async function stateOf({ tenantId, id }: QueuedMail): Promise<MailState> {
    const [row] = await server.dataSource.query<MailState[]>(
      `SELECT status, attempts, sealed_content IS NOT NULL AS has_content, last_error FROM mails
       WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
    return row as MailState;
  }

  it('are sent by the first attempt, with a text and an HTML part', async () => {
    const mail = await queue('zoe@example.com');
    expect(mailServer.mailsTo('zoe@example.com')).toEqual([]);
    expect(await server.app.get(MailsService).attempt(mail)).toBe(true);
    const received = mailServer.lastMailTo('zoe@example.com');
    expect(received).toMatchObject({
      from: 'tenure@mail.example',
      to: ['zoe@example.com'],
      subject: 'Set a new password',
      links: [LINK],
      headers: { from: 'Tenure <tenure@mail.example>', 'auto-submitted': 'auto-generated' },
    });
    expect(received.text).toContain('Hello Zoë <b>\n');
    expect(received.html).toContain('<p>Hello Zoë &lt;b&gt;</p>');
    expect(await stateOf(mail)).toEqual({
      status: 'sent',
      attempts: 1,
      has_content: false,
      last_error: null,
    });
  });

  it('are left to the job when the first attempt fails', async () => {
    const mail = await queue('ada@example.com');
    mailServer.answerWith({ at: 'RCPT TO', reply: '451 4.3.0 <ada@example.com> later' });
    expect(await server.app.get(MailsService).attempt(mail)).toBe(false);
    expect(await stateOf(mail)).toMatchObject({
      status: 'pending',
      has_content: true,
      last_error: expect.stringMatching(/^The mail server refused the mail: 451/),
    });
    mailServer.answerWith('accept');
    await server.app.get(MailsJob).drain();
    expect(mailServer.mailsTo('ada@example.com')).toEqual([]);
    server.clock.advanceMs(60_000);
    await server.app.get(MailsJob).drain();
    expect(mailServer.mailsTo('ada@example.com')).toHaveLength(1);
    expect(await stateOf(mail)).toMatchObject({ status: 'sent', attempts: 2, has_content: false });
  });

  it('are sent by the job when their process died before the first attempt', async () => {
    const mail = await queue('bob@example.com');
    await server.app.get(MailsJob).drain();
    expect(mailServer.mailsTo('bob@example.com')).toEqual([]);
    await expireLeases(server, 'mails');
    await server.app.get(MailsJob).drain();
    expect(mailServer.mailsTo('bob@example.com')).toHaveLength(1);
    // The process was only slow.
    expect(await server.app.get(MailsService).attempt(mail)).toBe(false);
    expect(mailServer.mailsTo('bob@example.com')).toHaveLength(1);
  });
});
