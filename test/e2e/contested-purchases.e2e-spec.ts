import { randomUUID } from 'node:crypto';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { createTestStore } from '../support/arrange-store.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import { startTestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const { monthly } = playProducts;

describe('a purchase that another customer owns', () => {
  let world: PlayWorld;
  let count = 0;

  const newAppUserId = (): string => `person-${++count}`;
  const rule = async (behavior: string): Promise<void> => {
    const answer = await world.backend.post(world.path, { transfer_behavior: behavior });
    expect(answer.status).toBe(200);
  };
  const restore = (appUserId: string, token: string) =>
    world.post(appUserId, token, monthly, { is_restore: true });
  const mayRestore = async (appUserId: string, token: string): Promise<boolean> => {
    const path = `/v1/subscribers/${appUserId}/restore/eligibility`;
    const { body } = await world.sdk.post(path, { fetch_token: token });
    return body.is_purchase_allowed_by_restore_behavior;
  };

  beforeAll(async () => {
    world = await startPlayWorld();
  });
  afterAll(() => world.close());

  it('stays with an owner whose renewal the store tells only now', async () => {
    await rule('transfer_if_no_active');
    const [owner, other] = [newAppUserId(), newAppUserId()];
    const subscription = world.play.subscribe(monthly);
    await world.post(owner, subscription.token);
    world.clock.advanceMs(31 * DAY_MS);
    subscription.renew();
    expect(await mayRestore(other, subscription.token)).toBe(false);
    expect(await restore(other, subscription.token)).toMatchObject({ status: 400, body: { code: 7102 } });
    expect(await world.events(owner)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    expect(await world.subscriptions(owner)).toMatchObject([{ gives_access: true }]);
  });

  it('goes to who shows that the store has taken it from its owner', async () => {
    await rule('transfer_if_no_active');
    const [owner, other] = [newAppUserId(), newAppUserId()];
    const subscription = world.play.subscribe(monthly);
    await world.post(owner, subscription.token);
    world.clock.advanceMs(DAY_MS);
    expect(await mayRestore(other, subscription.token)).toBe(false);
    subscription.revoke();
    expect(await mayRestore(other, subscription.token)).toBe(true);
    expect((await restore(other, subscription.token)).status).toBe(200);
    expect(await world.subscriptions(owner)).toEqual([]);
    expect(await world.subscriptions(other)).toMatchObject([{ gives_access: false }]);
  });

  it.each(['keep', 'share'])('stays recorded when %s refuses it to the poster', async (behavior) => {
    await rule(behavior);
    const [owner, other] = [newAppUserId(), newAppUserId()];
    const subscription = world.play.subscribe(monthly);
    await world.post(owner, subscription.token);
    world.clock.advanceMs(DAY_MS);
    subscription.cancel();
    const refused = await world.post(other, subscription.token);
    expect(refused).toMatchObject({ status: 400, body: { code: 7102 } });
    expect(await world.events(owner)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    expect(await world.subscriptions(owner)).toMatchObject([
      { gives_access: true, auto_renewal_status: 'will_not_renew' },
    ]);
    expect((await world.backend.get(`${world.path}/customers/${other}`)).status).toBe(404);
  });

  it('stays one purchase, even when a Test Store token comes back for a product of another kind', async () => {
    const server = await startTestServer({ clock: world.clock });
    const store = await createTestStore(server);
    const [owner, other] = [newAppUserId(), newAppUserId()];
    const token = `test_${world.clock.nowMs()}_${randomUUID()}`;
    const buy = (appUserId: string, productId: string) =>
      store.sdk.post('/v1/receipts', {
        app_user_id: appUserId,
        fetch_token: token,
        product_id: productId,
        is_restore: true,
      });
    const both = await Promise.all([buy(owner, 'pro_monthly'), buy(owner, 'coins_100')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    await buy(owner, 'pro_monthly');
    await buy(other, 'coins_100');
    const [rows] = await server.dataSource.query<{ count: string }[]>(
      `SELECT (SELECT count(*) FROM subscriptions WHERE store_key = $1) +
              (SELECT count(*) FROM one_time_purchases WHERE purchase_key = $1) AS count`,
      [token],
    );
    await server.close();
    expect(Number(rows?.count)).toBe(1);
  });
});
