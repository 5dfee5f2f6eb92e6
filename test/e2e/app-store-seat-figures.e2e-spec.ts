import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import type { Json } from '../support/api-client.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type { FakeTier } from '../support/fake-app-store/fake-subscription.js';

const DAY_MS = 86_400_000;
const fifty: FakeTier[] = [{ price: 13_990, quantity: 50 }];
const four: FakeTier[] = [{ price: 13_990, quantity: 4 }];

describe('figures of a project whose only sale is a group of seats', () => {
  let world: AppStoreWorld;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  afterAll(() => world.close());

  const figures = async (): Promise<Record<string, number>> => {
    world.clock.advanceMs(600_000);
    const { status, body } = await world.backend.get(`${world.path}/metrics/overview`);
    expect(status).toBe(200);
    return Object.fromEntries(body.metrics.map(({ id, value }: Json) => [id, value]));
  };

  it('row 107: counts one subscription, however many members have seats', async () => {
    const account = world.store.account();
    const bought = world.store.subscribe(account, fakeProducts.monthly, { tiers: fifty });
    expect((await world.post('buyer', bought.signed())).status).toBe(200);
    for (const user of ['first', 'second']) {
      const member = world.store.account('Production', { isAssigned: true });
      const seat = world.store.subscribe(member, fakeProducts.monthly, {
        tiers: fifty,
        originalTransactionId: bought.originalTransactionId,
      });
      expect((await world.post(user, seat.signed())).status).toBe(200);
    }
    const sold = { active_subscriptions: 1, active_trials: 0, revenue: 699.5 };
    expect(await figures()).toMatchObject({ ...sold, mrr: 699.5 });

    world.clock.advanceMs(10 * DAY_MS);
    await world.notify(bought.addSeats(four));
    expect(await figures()).toMatchObject({ ...sold, mrr: 755.46, revenue: 755.46 });

    world.clock.advanceMs(DAY_MS);
    await world.notify(bought.revokeSeats(4));
    expect(await figures()).toMatchObject({ ...sold, mrr: 699.5 });
  });
});
