import { DatabaseService } from '../../src/platform/database/database.service.js';
import { EndedWaitsJob } from '../../src/webhooks/deliveries/waiting/ended-waits.job.js';
import { wake } from '../../src/webhooks/deliveries/waiting/waiting-deliveries.sql.js';
import { McpCaller } from '../support/arrange-mcp.js';
import { createSecretKey } from '../support/arrange.js';
import type { Answer } from '../support/api-client.js';
import type { AddedDestination } from '../support/arrange-destinations.js';
import { type DestinationWorld, startDestinationWorld } from '../support/destination-world.js';

const DAY_MS = 86_400_000;
const ADJUST_ID = '0123456789abcdef0123456789abcdef';
const ZEROS = '00000000-0000-0000-0000-000000000000';

describe('events that wait for an attribute', () => {
  let world: DestinationWorld;

  beforeAll(async () => {
    world = await startDestinationWorld();
  });

  beforeEach(() => world.startOver());

  afterAll(() => world.close());

  const states = async (destination: AddedDestination): Promise<string[]> =>
    (await world.deliveries(destination)).map(({ status, reason }) => `${status} ${reason}`);

  /** An Adjust destination with an event that waits. */
  async function waiting(appUserId = 'ada'): Promise<AddedDestination> {
    const adjust = await world.add('adjust');
    await world.buy(appUserId);
    await world.drain();
    expect(await world.deliveries(adjust)).toMatchObject([
      { status: 'waiting', reason: 'missing_attribute', attempts: 0, waitsFor: ['$adjustId'] },
    ]);
    expect(world.tools.adjust.requests).toEqual([]);
    return adjust;
  }

  const identify = (from: string, to: string): Promise<Answer> =>
    world.store.sdk.post('/v1/subscribers/identify', { app_user_id: from, new_app_user_id: to });

  const v1 = (): object => ({ attributes: { $adjustId: { value: ADJUST_ID } } });
  const v2 = (): object => ({ attributes: [{ name: '$adjustId', value: ADJUST_ID }] });
  const v2Path = (): string => `${world.store.path}/customers/ada/attributes`;

  it.each<[string, () => Promise<unknown>]>([
    ['the SDK', () => world.setAttributes('ada', { $adjustId: ADJUST_ID })],
    [
      'a receipt',
      () =>
        world.store.sdk.post('/v1/receipts', {
          app_user_id: 'ada',
          product_id: 'pro_monthly',
          fetch_token: 'test_1_ada_pro_monthly',
          attributes: { $adjustId: { value: ADJUST_ID, updated_at_ms: world.clock.nowMs() } },
        }),
    ],
    [
      'attribution data of the SDK',
      () =>
        world.store.sdk.post('/v1/subscribers/ada/attribution', {
          network: 1,
          data: { rc_attribution_network_id: ADJUST_ID },
        }),
    ],
    ['version 1 of the API', () => world.store.backend.post('/v1/subscribers/ada/attributes', v1())],
    ['version 2 of the API', () => world.store.backend.post(v2Path(), v2())],
    ['the dashboard', () => world.store.session.post(v2Path(), v2())],
    [
      'MCP',
      async () => {
        const { key } = await createSecretKey(world.store.session, world.store.projectId);
        const args = { project_id: world.store.projectId, customer_id: 'ada', ...v2() };
        return new McpCaller(world.server, key).call('set_customer_attributes', args);
      },
    ],
    [
      'an import',
      () =>
        world.store.backend.post(`${world.store.path}/import/customers`, {
          customers: [
            {
              id: 'ada',
              attributes: [{ name: '$adjustId', value: ADJUST_ID, updated_at: world.clock.nowMs() }],
            },
          ],
        }),
    ],
  ])('sends them when it arrives by %s', async (_, arrive) => {
    const adjust = await waiting();
    await arrive();
    await world.drain();
    expect((await states(adjust))[0]).toBe('delivered null');
    expect(world.tools.adjust.events[0]).toMatchObject({ user: ADJUST_ID });
  });

  it('does not wake them for other attributes, or for the same value', async () => {
    const meta = await world.add('meta');
    await world.setAttributes('ada', { $idfa: ZEROS, $attConsentStatus: 'denied' });
    await world.buy('ada');
    await world.drain();
    expect(await states(meta)).toEqual(['waiting missing_attribute']);
    await world.setAttributes('ada', { $email: 'ada@example.com', $attConsentStatus: 'denied' });
    const due = `SELECT 1 FROM webhook_deliveries WHERE webhook_integration_id = $1 AND status = 'pending'`;
    expect(await world.server.dataSource.query(due, [meta.id])).toEqual([]);
    await world.setAttributes('ada', { $fbAnonId: 'XZ0123456789' });
    await world.drain();
    expect(await world.deliveries(meta)).toMatchObject([
      { status: 'waiting', reason: 'no_consent', waitsFor: ['$attConsentStatus'] },
    ]);
    await world.setAttributes('ada', { $attConsentStatus: 'authorized' });
    await world.drain();
    expect(await states(meta)).toEqual(['delivered null']);
    expect(world.tools.meta.events).toHaveLength(1);
  });

  it('judges the events of both customers again when they are merged', async () => {
    const adjust = await world.add('adjust');
    await world.buy('$RCAnonymousID:0123456789abcdef0123456789abcdef');
    await world.buy('ada', 'pro_yearly');
    await world.drain();
    expect(await states(adjust)).toEqual(Array(2).fill('waiting missing_attribute'));
    const merged = await identify('$RCAnonymousID:0123456789abcdef0123456789abcdef', 'ada');
    expect(merged.status).toBe(200);
    await world.drain();
    expect((await states(adjust)).filter((state) => state === 'waiting missing_attribute')).toHaveLength(2);
    await world.setAttributes('ada', { $adjustId: ADJUST_ID });
    await world.drain();
    expect(world.tools.adjust.events.filter(({ name }) => name === 'abc124')).toHaveLength(2);
    expect(new Set(await states(adjust))).toEqual(new Set(['delivered null']));
  });

  it('sends the events of a customer who is merged into one with the attribute', async () => {
    const adjust = await waiting('$RCAnonymousID:11111111111111111111111111111111');
    await world.setAttributes('ada', { $adjustId: ADJUST_ID });
    await identify('$RCAnonymousID:11111111111111111111111111111111', 'ada');
    await world.drain();
    expect(world.tools.adjust.events).toHaveLength(1);
    expect((await states(adjust))[0]).toBe('delivered null');
  });

  it('skips them after 30 days, once and for all', async () => {
    const adjust = await waiting();
    world.clock.advanceMs(30 * DAY_MS - 1);
    await world.server.app.get(EndedWaitsJob).run();
    expect(await states(adjust)).toEqual(['waiting missing_attribute']);
    world.clock.advanceMs(1);
    await world.setAttributes('ada', { $adjustId: ADJUST_ID });
    await world.drain();
    expect(world.tools.adjust.requests).toEqual([]);
    await world.server.app.get(EndedWaitsJob).run();
    expect(await states(adjust)).toEqual(['skipped missing_attribute']);
    await world.setAttributes('ada', { $adjustId: 'fedcba98765432100123456789abcdef' });
    await world.drain();
    expect(world.tools.adjust.requests).toEqual([]);
  });

  it('waits for Meta only as long as Meta takes the event', async () => {
    const meta = await world.add('meta');
    await world.buy('ada');
    await world.drain();
    world.clock.advanceMs(7 * DAY_MS);
    await world.setAttributes('ada', { $fbAnonId: 'XZ0123456789' });
    await world.server.app.get(EndedWaitsJob).run();
    expect(await states(meta)).toEqual(['skipped missing_attribute']);
  });

  it('forgets them with the customer', async () => {
    const adjust = await waiting();
    expect((await world.store.backend.delete(`${world.store.path}/customers/ada`)).status).toBe(200);
    await world.drain();
    const left = `SELECT 1 FROM webhook_deliveries WHERE webhook_integration_id = $1 AND status IN ('waiting', 'pending')`;
    expect(await world.server.dataSource.query(left, [adjust.id])).toEqual([]);
    expect(world.tools.adjust.requests).toEqual([]);
  });

  it('holds up neither other events nor the circuit', async () => {
    const adjust = await waiting('first');
    world.clock.advanceMs(1);
    await world.setAttributes('second', { $adjustId: ADJUST_ID });
    await world.buy('second');
    await world.drain();
    expect(await states(adjust)).toEqual(['waiting missing_attribute', 'delivered null']);
    const circuits = 'SELECT 1 FROM webhook_circuits WHERE webhook_integration_id = $1';
    expect(await world.server.dataSource.query(circuits, [adjust.id])).toEqual([]);
  });

  it('reads only the rows of the customer among 10,000 that wait', async () => {
    const adjust = await waiting();
    const { dataSource, app, clock } = world.server;
    await dataSource.query(
      `INSERT INTO webhook_deliveries (project_id, created_at, id, webhook_integration_id, event_id, event_created_at,
         event_type, status, customer_id, reason, waits_for, wait_until)
       SELECT d.project_id, d.created_at, 'whd_' || n, d.webhook_integration_id, d.event_id, d.event_created_at,
         d.event_type, 'waiting', 'cus_' || n, d.reason, d.waits_for, d.wait_until
       FROM webhook_deliveries d, generate_series(1, 10000) n WHERE d.webhook_integration_id = $1`,
      [adjust.id],
    );
    await dataSource.query('ANALYZE webhook_deliveries');
    const names = ['$adjustId'];
    const values = [world.store.projectId, ['cus_77'], names, new Date(clock.nowMs())];
    const plan = await app.get(DatabaseService).transaction(async (tx) => {
      const explained = {
        ...wake,
        name: 'test.explain',
        text: `EXPLAIN (ANALYZE, FORMAT JSON) ${wake.text}`,
      };
      return JSON.stringify(await tx.query(explained, values));
    });
    expect(plan).toContain('webhook_deliveries_waiting');
    const read = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)].map(([, rows]) =>
      Number(rows),
    );
    expect(Math.max(...read)).toBeLessThanOrEqual(1);
  });
});
