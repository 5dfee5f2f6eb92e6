import { type DestinationType, definitions, sampleEvent } from '../../libs/destinations/index.js';
import type { AddedDestination } from '../support/arrange-destinations.js';
import { type DestinationWorld, startDestinationWorld, toolIds } from '../support/destination-world.js';
import { recordEvent } from '../support/webhook-outbox.js';
import { startReceiver } from '../support/webhook-receiver.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const types = definitions.map(({ id }) => id);

describe('the sending of events to destinations', () => {
  let world: DestinationWorld;
  const log: string[] = [];

  beforeAll(async () => {
    world = await startDestinationWorld({ hasReplica: true, logTo: (line) => log.push(line) });
  });

  beforeEach(() => world.startOver());

  afterAll(() => world.close());

  const addAll = (): Promise<AddedDestination[]> => Promise.all(types.map((type) => world.add(type)));

  const statuses = async (destination: AddedDestination): Promise<string[]> =>
    (await world.deliveries(destination)).map(({ status, reason }) => reason ?? status);

  it('brings a sandbox purchase to tools of every type', async () => {
    const destinations = await addAll();
    await world.setAttributes('ada', toolIds);
    await world.buy('ada');
    await world.drain();
    const sent = await Promise.all(destinations.map((destination) => world.deliveries(destination)));
    const initial = sent.map((list) => list.find(({ eventType }) => eventType === 'INITIAL_PURCHASE'));
    expect(initial.map((delivery) => [delivery?.status, delivery?.error])).toEqual(
      types.map(() => ['delivered', null]),
    );
    expect(types.filter((type) => world.tools[type].events.length !== 1)).toEqual([]);
    const revenueOf = (type: DestinationType): number | null | undefined =>
      world.tools[type].events[0]?.revenue;
    for (const type of ['segment', 'amplitude', 'mixpanel', 'posthog', 'customerio', 'braze'] as const)
      expect([type, world.tools[type].events[0]?.user, revenueOf(type)]).toEqual([type, 'ada', 9.99]);
    expect(world.tools.segment.events[0]?.name).toBe('rc_initial_purchase_event');
    expect(world.tools.segment.traits.get('ada')).toMatchObject({ rc_subscription_status: 'active' });
    expect(world.tools.firebase.events[0]?.user).toBe(toolIds.$firebaseAppInstanceId);
    expect(world.tools.slack.events[0]?.name).toContain('just started a subscription');
  });

  it('logs each attempt without secrets', async () => {
    const [slack, firebase] = [await world.add('slack'), await world.add('firebase')];
    await world.setAttributes('ada', toolIds);
    await world.buy('ada');
    await world.drain();
    const rows = await world.server.dataSource.query<{ url: string }[]>(
      `SELECT a.* FROM webhook_attempts a JOIN webhook_deliveries d ON d.project_id = a.project_id AND d.id = a.delivery_id
       WHERE d.webhook_integration_id = ANY ($1) ORDER BY a.url`,
      [[slack.id, firebase.id]],
    );
    const [first, second] = rows.map(({ url }) => url);
    expect(rows).toHaveLength(2);
    expect(first).toBe('https://hooks.slack.com/…');
    expect(second).toMatch(/^https:\/\/www\.google-analytics\.com\/mp\/collect\?.*api_secret=\[masked\]/);
    expect(JSON.stringify(rows)).not.toMatch(/iosApiSecret|abcdefghijklmnopqrstuvwx/);
  });

  it('sends everything once after a refused key was corrected, and nothing twice', async () => {
    const braze = await world.add('braze');
    const key = '01234567-89ab-cdef-0123-fedcba987654';
    world.tools.braze.refusedKeys.add(key);
    for (let n = 0; n < 12; n++) await world.buy(`buyer-${n}`);
    await world.drainFor(10 * MINUTE_MS, 30_000);
    const tried = world.tools.braze.requests.length;
    expect(tried).toBeLessThan(40);
    expect(world.tools.braze.events).toEqual([]);
    expect(new Set(await statuses(braze))).toEqual(new Set(['refused_key', 'pending']));
    const [alert] = await world.server.dataSource.query(
      `SELECT * FROM project_alerts WHERE subject_id = $1 AND resolved_at IS NULL`,
      [braze.id],
    );
    expect(alert).toMatchObject({
      cause: 'destination_failing',
      details: { name: 'My Braze', message: 'The key is refused; the last answer was 401.' },
    });
    const changed = await world.store.backend.post(
      `${world.store.path}/integrations/destinations/${braze.id}`,
      { settings: { sandbox_api_key: '01234567-89ab-cdef-0123-000000000000' } },
    );
    expect(changed.status).toBe(200);
    await world.drain();
    const names = world.tools.braze.events.map(({ user }) => user).sort();
    expect(names).toEqual(Array.from({ length: 12 }, (_, n) => `buyer-${n}`).sort());
    expect(new Set(await statuses(braze))).toEqual(new Set(['delivered']));
    const open = `SELECT 1 FROM project_alerts WHERE subject_id = $1 AND resolved_at IS NULL`;
    expect(await world.server.dataSource.query(open, [braze.id])).toEqual([]);
  });

  it('finds a corrected key by its probes, and records both changes of the circuit', async () => {
    const posthog = await world.add('posthog');
    world.tools.posthog.refusedKeys.add('phc_sandbox0123456789');
    for (let n = 0; n < 5; n++) await world.buy(`buyer-${n}`);
    await world.drain();
    world.tools.posthog.refusedKeys.clear();
    await world.drainFor(15 * MINUTE_MS, 30_000);
    expect(world.tools.posthog.events).toHaveLength(5);
    const audits = await world.server.dataSource.query<{ action: string }[]>(
      `SELECT action_type AS action FROM audit_logs WHERE target_identifier = $1 ORDER BY occurred_at, id`,
      [posthog.id],
    );
    expect(audits.map(({ action }) => action)).toEqual([
      'destination_circuit_opened',
      'destination_circuit_closed',
    ]);
  });

  it('fails one event that is always refused, and delivers the others', async () => {
    const amplitude = await world.add('amplitude');
    world.tools.amplitude.interfere = ({ body }) =>
      body.includes('"culprit"') ? { status: 401, body: {} } : undefined;
    for (let n = 0; n < 40; n++) {
      await world.buy(n === 7 ? 'culprit' : `buyer-${n}`);
      await world.drainFor(10 * MINUTE_MS, 5 * MINUTE_MS);
    }
    expect(world.tools.amplitude.events).toHaveLength(39);
    const failed = (await world.deliveries(amplitude)).filter(({ status }) => status !== 'delivered');
    expect(failed).toMatchObject([{ status: 'failed', reason: 'rejected' }]);
  });

  it('fails an event that the tool rejects at once, with its explanation', async () => {
    const mixpanel = await world.add('mixpanel');
    await world.setAttributes('eve', { $mixpanelDistinctId: 'none' });
    await world.buy('eve');
    world.clock.advanceMs(1);
    await world.buy('ada');
    await world.drain();
    expect(await world.deliveries(mixpanel)).toMatchObject([
      { status: 'failed', reason: 'rejected', attempts: 1, error: expect.stringContaining('distinct_id') },
      { status: 'delivered' },
    ]);
  });

  it('waits as long as the tool asks, without counting the attempts', async () => {
    const segment = await world.add('segment');
    let answers = 0;
    world.tools.segment.interfere = () =>
      ++answers <= 3 ? { status: 429, headers: { 'retry-after': '120' } } : undefined;
    await world.buy('ada');
    await world.buy('bob');
    await world.drain();
    expect(await statuses(segment)).toContain('quiet');
    const before = answers;
    world.clock.advanceMs(119_000);
    await world.drain();
    expect(answers).toBe(before);
    await world.drainFor(10 * MINUTE_MS, 30_000);
    expect(await world.deliveries(segment)).toMatchObject([
      { status: 'delivered', attempts: 1 },
      { status: 'delivered', attempts: 1 },
    ]);
  });

  it('repeats only the second request of Mixpanel if the first one was answered', async () => {
    const mixpanel = await world.add('mixpanel');
    let isDown = true;
    world.tools.mixpanel.interfere = ({ path }) =>
      path === '/engage' && isDown ? { status: 503 } : undefined;
    await world.buy('ada');
    await world.drain();
    expect(await world.deliveries(mixpanel)).toMatchObject([{ status: 'pending', stepsDone: 1 }]);
    isDown = false;
    await world.drainFor(6 * MINUTE_MS, MINUTE_MS);
    expect(world.tools.mixpanel.requests.map(({ path }) => path)).toEqual(['/import', '/engage', '/engage']);
    expect(world.tools.mixpanel.charges).toEqual([{ user: 'ada', amount: 9.99 }]);
    expect(await world.deliveries(mixpanel)).toMatchObject([{ status: 'delivered', stepsDone: 2 }]);
  });

  it('sends the same bytes in every attempt, although the customer changes in between', async () => {
    const amplitude = await world.add('amplitude');
    await world.setAttributes('ada', { $amplitudeUserId: 'first-id' });
    world.tools.amplitude.interfere = () => ({ instead: 'reset', status: 0 });
    await world.buy('ada');
    await world.drain();
    await world.setAttributes('ada', { $amplitudeUserId: 'second-id' });
    world.tools.amplitude.interfere = () => undefined;
    await world.drainFor(6 * MINUTE_MS, MINUTE_MS);
    const [first, second] = world.tools.amplitude.requests.map(({ body }) => body);
    expect(first).toContain('first-id');
    expect(second).toBe(first);
    expect(await world.deliveries(amplitude)).toMatchObject([{ status: 'delivered', mayBeRepeated: true }]);
  });

  it('marks deliveries whose lease ended while they were being sent', async () => {
    const segment = await world.add('segment');
    const body = (id: string): string => JSON.stringify({ ...sampleEvent('renewal'), id });
    await recordEvent(world.server, world.store.projectId, { body });
    await world.server.dataSource.query(
      `UPDATE webhook_deliveries SET lease_until = '2020-01-01' WHERE webhook_integration_id = $1`,
      [segment.id],
    );
    await world.drain();
    expect(await world.deliveries(segment)).toMatchObject([{ status: 'delivered', mayBeRepeated: true }]);
  });

  it.each([
    ['slack', 1100],
    ['discord', 2100],
  ] as const)('posts to %s one message at a time, at its pace', async (type, paceMs) => {
    const chat = await world.add(type);
    const times: number[] = [];
    world.tools[type].interfere = () => void times.push(world.clock.nowMs());
    for (let n = 0; n < 6; n++) await world.buy(`buyer-${n}`);
    await world.drainFor(20_000, 100);
    expect(times).toHaveLength(6);
    for (const [n, time] of times.entries())
      if (n > 0) expect(time - (times[n - 1] ?? 0)).toBeGreaterThanOrEqual(paceMs);
    expect(new Set(await statuses(chat))).toEqual(new Set(['delivered']));
  });

  it('skips what a channel was too busy for during an hour', async () => {
    const slack = await world.add('slack');
    world.tools.slack.interfere = () => ({ status: 503 });
    await world.buy('ada');
    await world.drainFor(HOUR_MS, MINUTE_MS);
    world.tools.slack.interfere = () => undefined;
    await world.drainFor(HOUR_MS, MINUTE_MS);
    expect(await world.deliveries(slack)).toMatchObject([{ status: 'skipped', reason: 'too_old' }]);
  });

  it('pauses a channel that is gone', async () => {
    const slack = await world.add('slack');
    world.tools.slack.failure = 'channel_is_archived';
    await world.buy('ada');
    await world.drain();
    const [row] = await world.server.dataSource.query(
      'SELECT enabled FROM webhook_integrations WHERE id = $1',
      [slack.id],
    );
    expect(row).toEqual({ enabled: false });
  });

  it('tells Firebase about both owners of a transferred purchase', async () => {
    await world.add('firebase', { settings: { send_sandbox: true } });
    const ids = ['fedcba9876543210fedcba9876543210', '0123456789abcdef0123456789abcdef'];
    await world.setAttributes('old', { $firebaseAppInstanceId: ids[0] ?? '' });
    await world.setAttributes('new', { $firebaseAppInstanceId: ids[1] ?? '' });
    await world.buy('old');
    const moved = await world.store.backend.post(`${world.store.path}/customers/old/actions/transfer`, {
      target_customer_id: 'new',
    });
    expect(moved.status).toBe(200);
    await world.drain();
    const transfers = world.tools.firebase.events.filter(({ name }) => name === 'rc_transfer_event');
    expect(transfers.map(({ user }) => user).sort()).toEqual(ids.sort());
  });

  it('sends no event of a customer on a test clock, except to addresses', async () => {
    const [segment, http] = [await world.add('segment'), await world.add('http')];
    const clock = await world.store.backend.post(`${world.store.path}/test_clocks`, {
      name: 'Clock',
      frozen_time: world.clock.nowMs(),
    });
    expect(clock.status).toBe(201);
    await world.store.sdk.get('/v1/subscribers/ada');
    const attached = await world.store.backend.post(
      `${world.store.path}/test_clocks/${clock.body.id}/actions/attach_customer`,
      { customer_id: 'ada' },
    );
    expect(attached.status).toBe(200);
    await world.buy('ada');
    await world.drain();
    expect(await statuses(segment)).toEqual(['test_clock']);
    expect(await statuses(http)).toEqual(['delivered']);
  });

  it('skips events before its start, and those that are switched off', async () => {
    const later = new Date(world.clock.nowMs() + HOUR_MS);
    const segment = await world.add('segment', { sendFrom: later });
    const slack = await world.add('slack', { eventNames: { initial_purchase: null } });
    await world.buy('ada');
    await world.drain();
    expect(await statuses(segment)).toEqual(['before_start']);
    expect(await statuses(slack)).toEqual(['event_off']);
    const attempts = await world.server.dataSource.query(
      'SELECT 1 FROM webhook_attempts WHERE project_id = $1',
      [world.store.projectId],
    );
    expect(attempts).toEqual([]);
  });

  it('says so if the key of the server does not open the settings, and loses nothing', async () => {
    const segment = await world.add('segment');
    const other = await world.add('amplitude');
    await world.server.dataSource.query(
      `UPDATE webhook_integrations SET sealed_settings =
         (SELECT o.sealed_settings FROM webhook_integrations o WHERE o.id = $2) WHERE id = $1`,
      [segment.id, other.id],
    );
    await world.buy('ada');
    await world.drain();
    expect(await world.deliveries(segment)).toMatchObject([
      { status: 'pending', reason: 'refused_key', error: 'A secret could not be read.' },
    ]);
    expect(await statuses(other)).toEqual(['delivered']);
  });

  it('fails an event that cannot be built, and names it in the log', async () => {
    const segment = await world.add('segment');
    const eventId = await recordEvent(world.server, world.store.projectId, { body: 'null' });
    await world.drain();
    expect(await world.deliveries(segment)).toMatchObject([
      { status: 'failed', reason: 'rejected', error: 'The event could not be built.' },
    ]);
    expect(log.some((line) => line.includes(eventId) && line.includes('cannot be built'))).toBe(true);
  });

  it('delays no webhook and no other destination if one answers 500', async () => {
    const [failing, working] = [await world.add('segment'), await world.add('posthog')];
    const receiver = await startReceiver();
    const webhook = { name: 'Backend', url: receiver.url };
    await world.store.backend.post(`${world.store.path}/integrations/webhooks`, webhook);
    world.tools.segment.interfere = () => ({ status: 500 });
    for (let n = 0; n < 20; n++) await world.buy(`buyer-${n}`);
    await world.drain();
    expect(world.tools.posthog.events).toHaveLength(20);
    expect(receiver.requests).toHaveLength(20);
    await receiver.close();
    expect(await statuses(working)).toEqual(Array(20).fill('delivered'));
    world.tools.segment.interfere = () => undefined;
    await world.drainFor(HOUR_MS, MINUTE_MS);
    expect(await statuses(failing)).toEqual(Array(20).fill('delivered'));
    expect(world.tools.segment.events).toHaveLength(20);
  });

  it('counts attempts by type and skipped events by reason', async () => {
    await world.add('segment', { eventNames: {} });
    await world.buy('ada');
    await world.drain();
    const text = await (await fetch(`${world.server.baseUrl}/metrics`)).text();
    const replicas = await (await fetch(`${world.replica.baseUrl}/metrics`)).text();
    expect(`${text}${replicas}`).toMatch(
      /^tenure_destination_attempts_total\{type="segment",result="delivered"\} [1-9]/m,
    );
    expect(text).toMatch(/^tenure_destination_waiting \d+$/m);
    expect(text).toMatch(/^tenure_destination_skipped_total\{reason="before_start"\} \d+$/m);
    // Only the one webhook of this suite counts, not the destinations.
    expect(`${text}${replicas}`).toMatch(
      /^tenure_webhook_attempts_total\{webhook="healthy",result="retry"\} 0$/m,
    );
  });
});
