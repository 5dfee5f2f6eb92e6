import { jest } from '@jest/globals';
import { ChartRollupService } from '../../src/insights/charts/rollup/chart-rollup.service.js';
import { DigestSendingService } from '../../src/insights/digests/digest-sending.service.js';
import { DigestsJob } from '../../src/insights/digests/digests.job.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import type { Json } from '../support/api-client.js';
import { createChannel, messagesOf } from '../support/arrange-digests.js';
import { joinAs, type SignedUp } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { DestinationFakes } from '../support/destination-fakes/destination-fakes.js';
import { expireLeases } from '../support/leases.js';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const BASE_URL = 'https://purchases.example.com';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('digests at their time', () => {
  let mailServer: MailServer;
  let fakes: DestinationFakes;
  let env: NodeJS.ProcessEnv;
  let server: TestServer;
  let replica: TestServer;
  let store: TestStore;
  let channelId: string;

  beforeAll(async () => {
    mailServer = await startMailServer();
    fakes = new DestinationFakes(() => server.clock.nowMs());
    await fakes.start();
    env = {
      ...mailServer.env,
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_TRUST_PROXY: 'true',
      SERVICE_PUBLIC_URL: BASE_URL,
      SERVICE_TEST_STORES: 'true',
      SERVICE_DESTINATIONS_URL: fakes.url,
    };
    server = await startTestServer({ env });
    replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock, env });
  });

  afterAll(async () => {
    await replica.close();
    await server.close();
    await mailServer.close();
    await fakes.close();
  });

  beforeEach(async () => {
    goTo(Math.ceil(server.clock.nowMs() / DAY_MS) * DAY_MS + 3 * HOUR_MS);
    store = await createTestStore(server);
    channelId = await createChannel(server, store.projectId, 'slack');
    fakes.tools.slack.requests.length = 0;
    fakes.tools.discord.requests.length = 0;
    await waitForMails();
    seen = mailServer.mails.length;
  });

  afterEach(() => server.dataSource.query('DELETE FROM digests'));

  const goTo = (ms: number): void => server.clock.advanceMs(ms - server.clock.nowMs());
  /** Moves to an hour of the present UTC day, or of a later one. */
  const goToHour = (hour: number, daysLater = 0): void =>
    goTo((Math.floor(server.clock.nowMs() / DAY_MS) + daysLater) * DAY_MS + hour * HOUR_MS);
  const run = (...on: TestServer[]): Promise<void[]> =>
    Promise.all((on.length > 0 ? on : [server]).map(({ app }) => app.get(DigestsJob).drain()));
  const create = async (body: object = {}): Promise<string> => {
    const answer = await store.session.post(`${store.path}/digests`, {
      name: 'Figures',
      destination_id: channelId,
      period: 'daily',
      environment: 'sandbox',
      ...body,
    });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body.id;
  };
  const digest = async (id: string): Promise<Json> =>
    (await store.session.get(`${store.path}/digests/${id}`)).body;
  const messages = () => messagesOf(server, store.projectId);
  const linesOf = async (): Promise<string[][]> => (await messages()).map(({ event }) => event.digest.lines);
  const buy = async (product = 'pro_monthly', user = 'ada'): Promise<void> => {
    const answer = await store.sdk.post('/v1/receipts', {
      app_user_id: user,
      fetch_token: `test_${server.clock.nowMs()}_${user}`,
      product_id: product,
    });
    expect(answer.status).toBe(200);
  };
  const results = async (): Promise<Record<string, number>> => {
    const text = await (await fetch(`${server.baseUrl}/metrics`)).text();
    const found = text.matchAll(/^tenure_digests_total\{result="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...found].map(([, result = '', count]) => [result, Number(count)]));
  };
  let seen = 0;
  const waitForMails = () =>
    Promise.all([server, replica].map(({ app }) => app.get(MailsService).waitForPending()));
  const sentMails = async (): Promise<ReceivedMail[]> => {
    await waitForMails();
    const before = seen;
    seen = mailServer.mails.length;
    return mailServer.mails.slice(before);
  };
  const userIdOf = async ({ email }: Pick<SignedUp, 'email'>): Promise<string> => {
    const rows = await server.dataSource.query<{ id: string }[]>('SELECT id FROM users WHERE email = $1', [
      email,
    ]);
    return rows[0]?.id ?? '';
  };

  it('sends the figures of the last day to a channel, compared with the day before', async () => {
    await buy('coins_100', 'ada');
    goToHour(5, 1);
    await buy('pro_monthly', 'ada');
    await buy('coins_100', 'bob');
    const id = await create();
    goToHour(9, 1);
    await run();
    const [message, ...others] = await messages();
    expect(others).toEqual([]);
    const day = new Date(server.clock.nowMs() - DAY_MS);
    expect(message).toEqual({
      id: expect.stringMatching(/^whd_/),
      channel: channelId,
      status: 'pending',
      delivery: 'suppressed',
      dedupeKey: `digest:${id}:${day.toISOString().slice(0, 10)}`,
      event: {
        id: expect.stringMatching(/^[0-9A-F-]{36}$/),
        type: 'DIGEST',
        event_timestamp_ms: server.clock.nowMs(),
        environment: 'SANDBOX',
        digest: {
          heading: `[Sandbox] My project, ${day
            .toLocaleDateString('en-GB', {
              weekday: 'long',
              day: 'numeric',
              month: 'long',
              year: 'numeric',
              timeZone: 'UTC',
            })
            .replace(',', '')}`,
          lines: [
            'Revenue: $10.98 (+1,009.1 % from $0.99)',
            'MRR: $10 (was $0)',
            'Active subscriptions: 1 (was 0)',
            'Active trials: 0',
            'New customers: 1 (0.0 % from 1)',
            'New trials: 0',
            'New subscriptions: 1 (was 0)',
            'Churned subscriptions: 0',
            'Refunds: $0.00',
            'Open problems: 0',
            'Revenue of 14 days: ▁▁▁▁▁▁▁▁▁▁▁▁▂█',
          ],
          url: `${BASE_URL}/projects/${store.projectId}`,
        },
      },
    });
    expect(await digest(id)).toMatchObject({
      last_sent_at: server.clock.nowMs(),
      last_period: day.toISOString().slice(0, 10),
      next_at: server.clock.nowMs() + DAY_MS,
    });
  });

  it('posts the message to Slack and Discord once, whatever the events of the destination', async () => {
    const discord = await createChannel(server, store.projectId, 'discord');
    await buy();
    await create({ figures: ['revenue'] });
    await create({ figures: ['revenue'], destination_id: discord });
    goToHour(9, 1);
    await server.app.get(ChartRollupService).catchUp(store.projectId);
    await run(server, replica);
    await Promise.all([server, replica].map(({ app }) => app.get(DeliveryDispatcherService).drain()));
    const bodies = [fakes.tools.slack, fakes.tools.discord].map(({ requests }) =>
      requests.map(({ body }) => JSON.parse(body)),
    );
    const url = `${BASE_URL}/projects/${store.projectId}`;
    const text = 'Revenue: $9.99 (was $0.00)\nRevenue of 14 days: ▁▁▁▁▁▁▁▁▁▁▁▁▁█';
    expect(bodies).toEqual([
      [{ attachments: [expect.objectContaining({ title_link: url, text })] }],
      [
        expect.objectContaining({
          embeds: [expect.objectContaining({ url, description: text.replace(/[:()]/g, '\\$&') })],
        }),
      ],
    ]);
    expect((await messages()).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });

  it('skips a message that the channel could not take for 12 hours', async () => {
    await create();
    goToHour(9);
    await run();
    server.clock.advanceMs(12 * HOUR_MS + 1);
    fakes.tools.slack.requests.length = 0;
    await server.app.get(DeliveryDispatcherService).drain();
    expect(fakes.tools.slack.requests).toEqual([]);
    expect(await messages()).toMatchObject([{ status: 'skipped' }]);
  });

  it('shows the same text in a preview, and sends nothing by it', async () => {
    await buy();
    const id = await create({ figures: ['revenue', 'problems'] });
    goToHour(4, 1);
    const { status, body } = await store.session.get(`${store.path}/digests/${id}/preview`);
    expect([status, body]).toEqual([
      200,
      {
        object: 'digest_preview',
        heading: expect.stringMatching(/^\[Sandbox\] My project, \w+day \d+ \w+ 20\d\d$/),
        lines: ['Revenue: $9.99 (was $0.00)', 'Open problems: 0', 'Revenue of 14 days: ▁▁▁▁▁▁▁▁▁▁▁▁▁█'],
        is_complete: true,
        is_empty: false,
      },
    ]);
    expect(await messages()).toEqual([]);
    goToHour(9);
    await run();
    expect(await linesOf()).toEqual([body.lines]);
  });

  it('sums a week and compares it with the week before', async () => {
    // 1 January 1970 was a Thursday.
    const weekday = Math.floor(server.clock.nowMs() / DAY_MS + 3) % 7;
    goToHour(5, 7 - weekday);
    await buy('coins_100', 'ada');
    goToHour(5, 7);
    await buy('pro_monthly', 'ada');
    goToHour(5, 6);
    await buy('coins_100', 'ada');
    const id = await create({ period: 'weekly', weekday: 1, figures: ['revenue', 'active_subscriptions'] });
    goToHour(9, 1);
    await run();
    expect(await linesOf()).toEqual([
      ['Revenue: $10.98 (+1,009.1 % from $0.99)', 'Active subscriptions: 1 (was 0)'],
    ]);
    const last = server.clock.nowMs() - 9 * HOUR_MS - DAY_MS;
    const [first, end] = [last - 6 * DAY_MS, last].map((ms) => new Date(ms).toISOString().slice(0, 10));
    expect(await digest(id)).toMatchObject({
      last_period: `${first}/${end}`,
      next_at: server.clock.nowMs() + 7 * DAY_MS,
    });
  });

  it('sends one message with two replicas and a restart at the minute', async () => {
    const ids = [await create(), await create({ name: 'Other' })];
    goToHour(9);
    const late = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock, env });
    try {
      await Promise.all([run(server, replica), run(late), run(server, replica, late)]);
    } finally {
      await late.close();
    }
    const restarted = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock, env });
    try {
      await run(restarted, server);
    } finally {
      await restarted.close();
    }
    const keys = (await messages()).map(({ dedupeKey }) => dedupeKey.split(':')[1]);
    expect(keys.sort()).toEqual(ids.sort());
  });

  it('sends nothing without the lease, and the next process sends it once', async () => {
    await create();
    goToHour(9);
    const sending = server.app.get(DigestSendingService);
    const rows = await server.dataSource.query<{ projectId: string; id: string; leaseUntil: Date }[]>(
      `UPDATE digests SET lease_until = now() + interval '1 minute'
       RETURNING project_id AS "projectId", id, lease_until AS "leaseUntil"`,
    );
    const claimed = (rows as unknown as [{ projectId: string; id: string; leaseUntil: Date }[]])[0][0]!;
    await run(replica);
    expect(await messages()).toEqual([]);
    // Its process died, or was too slow.
    await expireLeases(server, 'digests');
    await run(replica);
    await sending.sendDue(claimed, { record: (write) => write(claimed.leaseUntil) });
    expect(await messages()).toHaveLength(1);
  });

  it('sends only the newest period of those that were missed', async () => {
    const id = await create();
    goToHour(3, 5);
    await run();
    expect((await messages()).map(({ dedupeKey }) => dedupeKey)).toEqual([
      `digest:${id}:${new Date(server.clock.nowMs() - 2 * DAY_MS).toISOString().slice(0, 10)}`,
    ]);
    goToHour(9);
    await run();
    expect(await messages()).toHaveLength(2);
  });

  it('does not repeat a period when the hour changes', async () => {
    const id = await create();
    goToHour(9);
    await run();
    await store.session.post(`${store.path}/digests/${id}`, { hour: 15 });
    goToHour(15);
    const before = (await results())['repeated'] ?? 0;
    await run();
    expect(await messages()).toHaveLength(1);
    expect((await results())['repeated']).toBe(before + 1);
    // The key of the event outlasts a change to weeks and back.
    await server.dataSource.query('UPDATE digests SET last_period = NULL, due_at = $1', [
      new Date(server.clock.nowMs()),
    ]);
    await run();
    expect(await messages()).toHaveLength(1);
  });

  it('waits for figures that are still computed, at most six times', async () => {
    const id = await create({ figures: ['revenue'] });
    goToHour(9);
    const figures = jest.spyOn(server.app.get(ChartRollupService), 'catchUp').mockResolvedValue(0);
    const before = await results();
    for (let delay = 1; delay <= 6; delay++) {
      await run();
      expect(await messages()).toEqual([]);
      expect((await digest(id)).next_at).toBe(server.clock.nowMs() + 10 * MINUTE_MS);
      server.clock.advanceMs(10 * MINUTE_MS);
    }
    await run();
    figures.mockRestore();
    expect(await linesOf()).toEqual([
      ['Revenue: $0.00', 'Revenue of 14 days: ▁▁▁▁▁▁▁▁▁▁▁▁▁▁', 'These figures may still change.'],
    ]);
    const after = await results();
    expect([after['delayed']! - before['delayed']!, after['sent']! - before['sent']!]).toEqual([6, 1]);
    expect((await digest(id)).next_at % DAY_MS).toBe(9 * HOUR_MS);
  });

  it('sends at once on request, as often as asked, and leaves the schedule as it is', async () => {
    const id = await create({ figures: ['problems'] });
    const { next_at: nextAt } = await digest(id);
    const path = `${store.path}/digests/${id}/actions/send_now`;
    const sent = [];
    for (let time = 0; time < 2; time++) {
      server.clock.advanceMs(MINUTE_MS);
      const { status, body } = await store.session.post(path, {});
      expect(status).toBe(201);
      sent.push(body);
    }
    const [first, second] = await messages();
    expect(sent).toMatchObject([
      { object: 'destination_delivery', id: first?.id, destination_id: channelId, event_type: 'DIGEST' },
      { object: 'destination_delivery', id: second?.id, event_id: second?.event.id, app_user_id: null },
    ]);
    expect(await digest(id)).toMatchObject({
      next_at: nextAt,
      last_sent_at: server.clock.nowMs(),
      last_period: null,
    });
    const key = { 'idempotency-key': 'once' };
    const once = await store.session.post(path, {}, key);
    expect((await store.session.post(path, {}, key)).body.id).toBe(once.body.id);
    goToHour(9);
    await run();
    expect(await messages()).toHaveLength(4);
    const log = await store.session.get(`${store.path}/audit_logs?limit=100`);
    const actions = log.body.items.filter(({ action_type: type }: Json) => type === 'digest_sent_now');
    expect(actions).toHaveLength(3);
  });

  it('rejects a paused and a deleted destination with 422 on request', async () => {
    const id = await create();
    const path = `${store.path}/digests/${id}/actions/send_now`;
    await server.dataSource.query('UPDATE webhook_integrations SET enabled = false WHERE id = $1', [
      channelId,
    ]);
    const paused = await store.session.post(path, {});
    expect([paused.status, paused.body.message]).toEqual([422, 'The destination of this digest is paused.']);
    await server.dataSource.query('DELETE FROM webhook_integrations WHERE id = $1', [channelId]);
    const deleted = await store.session.post(path, {});
    expect([deleted.status, deleted.body.message]).toEqual([
      422,
      'The destination of this digest has been deleted.',
    ]);
    expect(await messages()).toEqual([]);
    expect((await store.session.post(`${store.path}/digests/dig_unknown/actions/send_now`, {})).status).toBe(
      404,
    );
  });

  it('skips an empty period if the digest says so', async () => {
    const id = await create({ send_empty: false });
    goToHour(9);
    await run();
    expect(await messages()).toEqual([]);
    expect(await digest(id)).toMatchObject({ last_sent_at: null, next_at: server.clock.nowMs() + DAY_MS });
    await buy();
    goToHour(9, 1);
    await run();
    expect(await messages()).toHaveLength(1);
  });

  it('skips a paused destination, and is switched off with a deleted one', async () => {
    const id = await create();
    const setEnabled = 'UPDATE webhook_integrations SET enabled = $2 WHERE id = $1';
    await server.dataSource.query(setEnabled, [channelId, false]);
    goToHour(9);
    await run();
    expect(await digest(id)).toMatchObject({ enabled: true, last_sent_at: null });
    await server.dataSource.query('DELETE FROM webhook_integrations WHERE id = $1', [channelId]);
    goToHour(9, 1);
    await run();
    expect(await messages()).toEqual([]);
    expect(await digest(id)).toMatchObject({ enabled: false, next_at: null, last_sent_at: null });
  });

  it('sends nothing of a digest that is off, or of a deleted project', async () => {
    await create({ enabled: false });
    const other = await create();
    await server.dataSource.query('UPDATE projects SET deleted_at = $2, purge_due_at = $2 WHERE id = $1', [
      store.projectId,
      new Date(server.clock.nowMs()),
    ]);
    goToHour(10);
    await run();
    expect(await messages()).toEqual([]);
    const rows = await server.dataSource.query<{ lease: Date | null }[]>(
      'SELECT lease_until AS lease FROM digests WHERE id = $1',
      [other],
    );
    expect(rows).toEqual([{ lease: null }]);
  });

  it('hides the event from lists and webhooks', async () => {
    await store.session.post(`${store.path}/integrations/webhooks`, {
      name: 'All',
      url: 'http://127.0.0.1:9/hook',
    });
    await buy();
    await create();
    goToHour(9);
    await run();
    const [message] = await messages();
    const listed = await store.session.get(`${store.path}/events?limit=100`);
    expect(listed.body.items.map(({ type }: Json) => type)).toEqual(['INITIAL_PURCHASE']);
    expect((await store.session.get(`${store.path}/events/${message?.event.id}`)).status).toBe(404);
    const cursor = await store.session.get(`${store.path}/events?starting_after=${message?.event.id}`);
    expect(cursor.status).toBe(400);
    const chosen = await store.session.get(`${store.path}/events?type=DIGEST`);
    expect([chosen.status, chosen.body.param]).toEqual([400, 'type']);
    const types = await server.dataSource.query(
      'SELECT DISTINCT event_type FROM webhook_deliveries WHERE project_id = $1 AND webhook_integration_id <> $2',
      [store.projectId, channelId],
    );
    expect(types).toEqual([{ event_type: 'INITIAL_PURCHASE' }]);
  });

  describe('by mail', () => {
    let people: Record<'developer' | 'viewer', SignedUp>;
    let emails: string[];

    beforeEach(async () => {
      people = {
        developer: await joinAs(server, 'developer', store.projectId),
        viewer: await joinAs(server, 'viewer', store.projectId),
      };
      emails = [await userIdOf(people.developer), await userIdOf(people.viewer)];
    });

    const recipients = (mails: ReceivedMail[]): string[] => mails.flatMap(({ to }) => to).sort();

    it('sends each member one mail, with two replicas', async () => {
      await buy();
      const id = await create({ name: 'Money', destination_id: null, emails, figures: ['revenue', 'mrr'] });
      goToHour(9, 1);
      await Promise.all([run(server, replica), run(server, replica)]);
      const mails = await sentMails();
      expect(recipients(mails)).toEqual([people.developer.email, people.viewer.email].sort());
      const [mail] = mails;
      expect(mail?.subject).toMatch(/^\[Sandbox\] My project, \w+day \d+ \w+ 20\d\d$/);
      expect(mail?.text).toContain('Revenue: $9.99 (was $0.00)\n\nMRR: $10 (was $0)\n\nOpen the overview:');
      expect(mail?.text).not.toContain('Revenue of 14 days');
      expect(mail?.text).toContain('because you are a recipient of the digest Money of My project.');
      expect(mail?.links[0]).toBe(`${BASE_URL}/projects/${store.projectId}`);
      expect(mail?.links[1]).toMatch(new RegExp(`^${BASE_URL}/stop-digest#token=v1`));
      expect(await messages()).toEqual([]);
      await run(server, replica);
      expect(await sentMails()).toEqual([]);
      expect((await digest(id)).last_sent_at).toBe(server.clock.nowMs());
    });

    it('mails on request, and returns the number of mails', async () => {
      const id = await create({ destination_id: null, emails });
      const answer = await store.session.post(`${store.path}/digests/${id}/actions/send_now`, {});
      expect([answer.status, answer.body]).toEqual([201, { object: 'digest_mails', queued: 2 }]);
      expect(await sentMails()).toHaveLength(2);
    });

    it('skips members who left, and those who may no longer read charts', async () => {
      const id = await create({ destination_id: null, emails });
      await server.dataSource.query('DELETE FROM project_members WHERE user_id = $1', [emails[0]]);
      goToHour(9);
      await run();
      expect(recipients(await sentMails())).toEqual([people.viewer.email]);
      await server.dataSource.query("UPDATE project_members SET role = 'role_unknown' WHERE user_id = $1", [
        emails[1],
      ]);
      goToHour(9, 1);
      const before = (await results())['no_recipient'] ?? 0;
      await run();
      expect(await sentMails()).toEqual([]);
      expect((await results())['no_recipient']).toBe(before + 1);
      expect((await digest(id)).emails).toEqual(emails);
    });

    it('stops for one member by one click in the mail program, and is off without members', async () => {
      const id = await create({ destination_id: null, emails });
      goToHour(9);
      await run();
      const mails = await sentMails();
      const stop = async (email: string): Promise<void> => {
        const mail = mails.find(({ to }) => to.includes(email));
        expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
        const url = new URL(/^<(.*)>$/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? '');
        const path = `${url.pathname}${url.search}`;
        // Scanners of mails open links.
        await server.http.get(path);
        const form = {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://mail.example.com',
        };
        for (let time = 0; time < 2; time++) {
          const answer = await server.http.send('POST', path, 'List-Unsubscribe=One-Click', form);
          expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
        }
      };
      await stop(people.developer.email);
      expect(await digest(id)).toMatchObject({ emails: [emails[1]], enabled: true });
      const log = await store.session.get(`${store.path}/audit_logs?limit=1`);
      expect(log.body.items).toMatchObject([
        { action_type: 'digest_updated', actor_type: 'user', actor_identifier: people.developer.email },
      ]);
      await stop(people.viewer.email);
      expect(await digest(id)).toMatchObject({ emails: [], enabled: false });
      const renamed = await store.session.post(`${store.path}/digests/${id}`, { name: 'Quiet' });
      expect(renamed.status).toBe(200);
      const on = await store.session.post(`${store.path}/digests/${id}`, { enabled: true });
      expect([on.status, on.body.param]).toEqual([400, 'emails']);
    });

    it('rejects a forged token with 400', async () => {
      const answer = await server.http.post('/auth/digests/unsubscribe?token=v1.forged', {});
      expect([answer.status, answer.body.param]).toEqual([400, 'token']);
    });
  });
});
