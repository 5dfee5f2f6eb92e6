import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { DelayedAlertsJob } from '../../src/workspace/alerts/delayed-alerts.job.js';
import { ProjectAlertsService } from '../../src/workspace/alerts/project-alerts.service.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import { SilentNotificationsJob } from '../../src/stores/notifications/silent-notifications.job.js';
import { joinAs, signUp, type SignedUp } from '../support/arrange.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { expireLeases } from '../support/leases.js';
import { googleError } from '../support/fake-play/play-answer.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { recordEvent } from '../support/webhook-outbox.js';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

const BASE_URL = 'https://purchases.example.com';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const THRESHOLD = 3;

describe('alert mails', () => {
  let mailServer: MailServer;
  let env: NodeJS.ProcessEnv;
  let world: PlayWorld;
  let server: TestServer;
  let replica: TestServer;
  let receiver: Receiver;
  /** Members of the project, by why they get mails or not. */
  let people: Record<'admin' | 'developer' | 'viewer' | 'quiet', SignedUp>;

  beforeAll(async () => {
    mailServer = await startMailServer();
    receiver = await startReceiver();
    env = {
      ...mailServer.env,
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_TRUST_PROXY: 'true',
      SERVICE_PUBLIC_URL: BASE_URL,
      SERVICE_WEBHOOK_CIRCUIT_FAILURES: String(THRESHOLD),
    };
    world = await startPlayWorld(env);
    server = world.server;
    replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock, env });
    const me = (await world.session.get('/auth/me')).body.user;
    const { session, projectId } = world;
    people = {
      admin: { email: me.email, cookie: '', session, projectId },
      developer: await joinAs(server, 'developer', projectId),
      viewer: await joinAs(server, 'viewer', projectId),
      quiet: await joinAs(server, 'admin', projectId),
    };
    await people.quiet.session.post('/auth/me', { alert_emails: false });
  });

  beforeEach(async () => {
    world.google.interfere = () => undefined;
    // Earlier mails limit no later ones.
    server.clock.advanceMs(2 * DAY_MS);
    await sent();
    seen = mailServer.mails.length;
  });

  afterAll(async () => {
    await replica.close();
    await world.close();
    await receiver.close();
    await mailServer.close();
  });

  let seen = 0;
  /** The mails since the last call, oldest first. */
  async function sent(): Promise<ReceivedMail[]> {
    const before = seen;
    await Promise.all([server, replica].map(({ app }) => app.get(MailsService).waitForPending()));
    seen = mailServer.mails.length;
    return mailServer.mails.slice(before);
  }

  const minuteOf = (atMs: number): string =>
    `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  // Sessions end before the clock of this suite stops.
  const wantsAlerts = async ({ email }: SignedUp): Promise<boolean> => {
    const query = 'SELECT alert_emails AS wants FROM users WHERE email = $1';
    return (await server.dataSource.query<{ wants: boolean }[]>(query, [email]))[0]?.wants ?? false;
  };
  const setAlerts = async ({ email }: SignedUp, on: boolean): Promise<void> => {
    await server.dataSource.query('UPDATE users SET alert_emails = $2 WHERE email = $1', [email, on]);
  };
  const recipients = (mails: ReceivedMail[]): string[] => mails.flatMap(({ to }) => to).sort();
  const both = (): string[] => [people.admin.email, people.developer.email].sort();
  const delayed = async (): Promise<void> => {
    await Promise.all([server, replica].map(({ app }) => app.get(DelayedAlertsJob).run()));
  };

  describe('about notifications', () => {
    const RENEWED = 2;
    const watch = async (): Promise<void> => {
      await server.app.get(SilentNotificationsJob).schedule();
      await world.tasks();
      await expireLeases(server, 'store_tasks');
    };
    const buy = async (user: string): Promise<string> => {
      const { token } = world.play.subscribe(playProducts.monthly);
      expect((await world.post(user, token)).status).toBe(200);
      return token;
    };

    it('mails when they stop although customers pay, and when they arrive again', async () => {
      const token = await buy('first');
      for (let count = 0; count < 12; count++) {
        world.clock.advanceMs(2 * HOUR_MS);
        expect((await world.notify(token, RENEWED)).status).toBe(200);
        await watch();
      }
      const since = minuteOf(world.clock.nowMs());
      for (let hour = 0; hour < 20; hour++) {
        world.clock.advanceMs(HOUR_MS);
        await buy(`silent-${hour}`);
        await watch();
      }
      expect(await sent()).toEqual([]);
      for (let hour = 0; hour < 6; hour++) {
        world.clock.advanceMs(HOUR_MS);
        await watch();
      }
      const mails = await sent();
      expect(recipients(mails)).toEqual(both());
      expect(mails[0]?.subject).toBe('No notifications for Android app (My project)');
      expect(mails[0]?.text).toContain(`since ${since}`);
      await world.notify(token, RENEWED);
      world.clock.advanceMs(HOUR_MS);
      await watch();
      const recovery = await sent();
      expect(recipients(recovery)).toEqual(both());
      expect(recovery[0]?.subject).toBe('Notifications for Android app arrive again (My project)');
    });

    it('sends none about an app without payments', async () => {
      const token = await buy('unpaid');
      for (let count = 0; count < 12; count++) {
        world.clock.advanceMs(2 * HOUR_MS);
        await world.notify(token, RENEWED);
      }
      for (let hour = 0; hour < 120; hour += 8) {
        world.clock.advanceMs(8 * HOUR_MS);
        await watch();
      }
      expect(await sent()).toEqual([]);
    });
  });

  describe('about a webhook', () => {
    let id: string;

    beforeEach(async () => {
      receiver.answerWith(status(500));
      const made = await world.backend.post(`${world.path}/integrations/webhooks`, {
        name: 'Backend',
        url: `${receiver.url}?key=S3CRET`,
      });
      id = made.body.id;
    });

    afterEach(() => world.backend.delete(`${world.path}/integrations/webhooks/${id}`));

    const drain = async (): Promise<void> => {
      await Promise.all([server, replica].map(({ app }) => app.get(DeliveryDispatcherService).drain()));
    };
    const open = async (): Promise<void> => {
      receiver.answerWith(status(500));
      for (let count = 0; count < THRESHOLD; count++) await recordEvent(server, world.projectId);
      await drain();
      expect(await circuit()).toBe('open');
    };
    const close = async (): Promise<void> => {
      receiver.answerWith(status(200));
      server.clock.advanceMs(5 * MINUTE_MS);
      await recordEvent(server, world.projectId);
      await drain();
      expect(await circuit()).toBe('closed');
    };
    const circuit = async (): Promise<string> =>
      (await world.backend.get(`${world.path}/webhooks`)).body.items[0].circuit;

    it('mails admins and developers who want them, once when its circuit opens and once when it closes', async () => {
      const since = minuteOf(server.clock.nowMs());
      await open();
      const mails = await sent();
      expect(recipients(mails)).toEqual(both());
      const [mail] = mails;
      expect(mail?.subject).toBe('Webhook Backend is failing (My project)');
      expect(mail?.text).toContain('3 deliveries in a row to 127.0.0.1');
      expect(mail?.text).toContain('the last answer was 500');
      expect(mail?.text).toContain(`since ${since}`);
      expect(mail?.text).toContain('because alert emails are on for your account');
      expect(mail?.links).toEqual([
        `${BASE_URL}/projects/${world.projectId}/webhooks/${id}`,
        `${BASE_URL}/account`,
      ]);
      for (const { text, html } of mails) expect(text + html).not.toContain('S3CRET');
      for (let probe = 0; probe < 5; probe++) {
        server.clock.advanceMs(5 * MINUTE_MS);
        await drain();
      }
      await delayed();
      expect(await sent()).toEqual([]);
      await close();
      const recovery = await sent();
      expect(recipients(recovery)).toEqual(both());
      expect(recovery[0]?.subject).toBe('Webhook Backend works again (My project)');
      server.clock.advanceMs(2 * DAY_MS);
      await delayed();
      expect(await sent()).toEqual([]);
    });

    it('sends at most one a day while it comes and goes, and one a day later if it is still failing', async () => {
      await open();
      await close();
      expect(await sent()).toHaveLength(4);
      for (let time = 0; time < 3; time++) {
        await open();
        await close();
      }
      await open();
      await delayed();
      expect(await sent()).toEqual([]);
      server.clock.advanceMs(DAY_MS);
      await Promise.all([delayed(), delayed()]);
      const mails = await sent();
      expect(recipients(mails)).toEqual(both());
      expect(mails[0]?.subject).toContain('is failing');
      await close();
      expect((await sent()).map(({ subject }) => subject)).toEqual(
        Array(2).fill('Webhook Backend works again (My project)'),
      );
    });

    it('sends no recovery when the webhook is changed, paused and enabled, or deleted', async () => {
      const path = `${world.path}/integrations/webhooks/${id}`;
      await open();
      expect(await sent()).toHaveLength(2);
      await world.backend.post(path, { url: `${receiver.url}/new` });
      expect(await circuit()).toBe('closed');
      await drain();
      // The new address fails, too: it is one cause, so it waits for the next day.
      await open();
      expect(await sent()).toEqual([]);
      await world.backend.delete(path);
      server.clock.advanceMs(2 * DAY_MS);
      await delayed();
      expect(await sent()).toEqual([]);
    });

    it('skips people of a project that was deleted', async () => {
      await open();
      expect(await sent()).toHaveLength(2);
      await close();
      await open();
      const deleted = new Date(server.clock.nowMs());
      await server.dataSource.query('UPDATE projects SET deleted_at = $2, purge_due_at = $2 WHERE id = $1', [
        world.projectId,
        deleted,
      ]);
      server.clock.advanceMs(DAY_MS);
      await sent();
      await delayed();
      expect(await sent()).toEqual([]);
      await server.dataSource.query(
        'UPDATE projects SET deleted_at = NULL, purge_due_at = NULL WHERE id = $1',
        [world.projectId],
      );
    });

    it('reaches people who turned them on meanwhile', async () => {
      for (const person of [people.admin, people.developer]) await setAlerts(person, false);
      await open();
      expect(await sent()).toEqual([]);
      await setAlerts(people.developer, true);
      await delayed();
      server.clock.advanceMs(DAY_MS);
      await delayed();
      expect(recipients(await sent())).toEqual([people.developer.email]);
      await setAlerts(people.admin, true);
    });

    it('mails only confirmed addresses in the hosted edition', async () => {
      const hosted = { ...env, SERVICE_EDITION: 'cloud' };
      const third = await startTestServer({
        databaseUrl: server.databaseUrl,
        clock: server.clock,
        env: hosted,
      });
      try {
        await server.dataSource.query('UPDATE users SET email_verified = (email = $1)', [people.admin.email]);
        for (let count = 0; count < THRESHOLD; count++) await recordEvent(server, world.projectId);
        await third.app.get(DeliveryDispatcherService).drain();
        await third.app.get(MailsService).waitForPending();
        expect(recipients(await sent())).toEqual([people.admin.email]);
      } finally {
        await third.close();
      }
    });

    it('stops by one click in the mail program, without a sign-in', async () => {
      await open();
      const mail = (await sent()).find(({ to }) => to.includes(people.developer.email));
      expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
      const url = new URL(/^<(.*)>$/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? '');
      expect(url.origin).toBe(BASE_URL);
      const path = `${url.pathname}${url.search}`;
      const wants = (): Promise<boolean> => wantsAlerts(people.developer);
      // Scanners of mails open links.
      await server.http.get(path);
      expect(await wants()).toBe(true);
      const form = {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://mail.example.com',
      };
      for (let time = 0; time < 2; time++) {
        const answer = await server.http.send('POST', path, 'List-Unsubscribe=One-Click', form);
        expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
        expect(await wants()).toBe(false);
      }
      await setAlerts(people.developer, true);
      const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
      const part =
        '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
      expect((await server.http.send('POST', path, part, multipart)).status).toBe(200);
      expect(await wants()).toBe(false);
      await close();
      expect(recipients(await sent())).toEqual([people.admin.email]);
      await setAlerts(people.developer, true);
    });

    it.each([
      ['without a token', ''],
      ['with an empty one', '?token='],
      ['with one that is not genuine', '?token=v1.AAAA'],
      ['with one that is too long', `?token=${'x'.repeat(501)}`],
      ['with two', '?token=a&token=b'],
    ])('stays on %s', async (_, query) => {
      const answer = await server.http.post(`/auth/alerts/unsubscribe${query}`);
      expect([answer.status, answer.body.error?.param ?? answer.body.param]).toEqual([400, 'token']);
    });
  });

  describe('about credentials', () => {
    const buy = (user: string) => world.post(user, world.play.subscribe(playProducts.monthly).token);

    it('mails once when a store refuses them, and once when it accepts them', async () => {
      world.google.interfere = () => googleError(403, 'permissionDenied');
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map(buy));
      expect(answers.map((answer) => answer.status)).toEqual([503, 503, 503, 503]);
      const mails = await sent();
      expect(recipients(mails)).toEqual(both());
      expect(mails[0]?.subject).toBe('Google Play refuses the credentials of Android app (My project)');
      expect(mails[0]?.text).toContain('View financial data');
      expect(mails[0]?.links[0]).toBe(`${BASE_URL}/projects/${world.projectId}/apps/${world.appId}`);
      for (let hour = 0; hour < 30; hour++) {
        world.clock.advanceMs(HOUR_MS);
        await world.tasks();
      }
      await buy('e');
      await delayed();
      expect(await sent()).toEqual([]);
      world.google.interfere = () => undefined;
      world.clock.advanceMs(HOUR_MS);
      await world.tasks();
      const recovery = await sent();
      expect(recipients(recovery)).toEqual(both());
      expect(recovery[0]?.subject).toBe(
        'Google Play accepts the credentials of Android app again (My project)',
      );
    });

    it('reports that they work when the next purchase proves it', async () => {
      world.google.interfere = () => googleError(403, 'permissionDenied');
      await buy('a');
      world.google.interfere = () => undefined;
      expect((await buy('b')).status).toBe(200);
      const isOver = (await sent()).map(({ subject }) => subject.includes('again'));
      expect(isOver.sort()).toEqual([false, false, true, true]);
    });
  });

  it('informs only members about a new project of another user', async () => {
    const other = await signUp(server);
    world.google.interfere = () => googleError(403, 'permissionDenied');
    await world.post('a', world.play.subscribe(playProducts.monthly).token);
    expect(recipients(await sent())).not.toContain(other.email);
  });

  it('stores nothing of a deleted app', async () => {
    world.google.interfere = () => googleError(403, 'permissionDenied');
    await world.post('gone', world.play.subscribe(playProducts.monthly).token);
    await sent();
    expect((await world.backend.delete(`${world.path}/apps/${world.appId}`)).status).toBe(200);
    server.clock.advanceMs(2 * DAY_MS);
    await delayed();
    expect(await sent()).toEqual([]);
    const left = `SELECT * FROM project_alerts WHERE cause <> 'webhook_failing'`;
    expect(await server.dataSource.query(left)).toEqual([]);
  });

  it('leaves alerts with causes of a newer version to that version', async () => {
    const drop = 'ALTER TABLE project_alerts DROP CONSTRAINT project_alerts_cause_check';
    await server.dataSource.query(drop);
    await server.dataSource.query(
      `INSERT INTO project_alerts (project_id, cause, subject_id, details, opened_at, is_reported)
       VALUES ($1, 'of_a_newer_version', 'it', '{"name": "It"}', $2, false)`,
      [world.projectId, new Date(server.clock.nowMs())],
    );
    await expect(server.app.get(ProjectAlertsService).mailDelayed()).resolves.toBeUndefined();
    expect(await sent()).toEqual([]);
  });
});
