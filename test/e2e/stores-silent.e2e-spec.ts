import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { OverdueSubscriptionsJob } from '../../src/stores/shared/overdue-subscriptions.job.js';
import { SilentAppsJob } from '../../src/stores/shared/silent-apps.job.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import {
  type AllStores,
  type Bought,
  startAllStores,
  type StoreName,
} from '../support/arrange-all-stores.js';
import type { Json } from '../support/api-client.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('stores that send no notifications', () => {
  let all: AllStores;
  let count = 0;

  beforeAll(async () => {
    all = await startAllStores();
  });
  afterAll(() => all.close());

  const names: StoreName[] = ['app_store', 'paddle', 'play_store', 'stripe', 'amazon', 'roku'];

  describe.each(names)('%s', (name) => {
    const upkeep = async (): Promise<void> => {
      await all.server.app.get(OverdueSubscriptionsJob).schedule();
      await all.server.app.get(SilentAppsJob).schedule();
      await all.server.app.get(StoreTasksService).drain();
      await all.server.app.get(StoreRefreshJob).drain();
      // Paddle is asked about one purchase a second.
      for (let second = 0; name === 'paddle' && second < 6; second++) {
        all.clock.advanceMs(1_000);
        await all.server.app.get(StoreRefreshJob).drain();
      }
    };
    const bought = async (): Promise<{ user: string; purchase: Bought }> => {
      const user = `${name}-${++count}`;
      const purchase = all.stores[name].buy();
      expect((await all.post(all.stores[name], user, purchase)).status).toBe(200);
      return { user, purchase };
    };
    const events = (user: string): Promise<string[]> => all.stores[name].world.events(user);
    /** Purchases that the store is to be asked about, with the time until then. */
    const waiting = async (): Promise<number[]> => {
      const rows = await all.server.dataSource.query<{ due_at: Date }[]>(
        'SELECT due_at FROM store_refreshes WHERE app_id = $1',
        [all.stores[name].world.appId],
      );
      return rows.map(({ due_at: at }) => at.getTime() - all.clock.nowMs());
    };

    it('months of silence are caught up with: each period once, in order', async () => {
      const { user, purchase } = await bought();
      for (let month = 0; month < 5; month++) {
        all.clock.advanceMs(30 * DAY_MS);
        purchase.renew();
      }
      all.clock.advanceMs(HOUR_MS);
      await upkeep();
      expect(await events(user)).toEqual(['INITIAL_PURCHASE', ...Array<string>(5).fill('RENEWAL')]);
      const { world } = all.stores[name];
      const list = await world.backend.get(`${world.path}/customers/${user}/events?limit=100`);
      const starts = (list.body.items as Json[])
        .map(({ body }) => body)
        .sort((a, b) => a.sequence - b.sequence)
        .map((event) => event.purchased_at_ms as number);
      expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
      await upkeep();
      expect(await events(user)).toHaveLength(6);
    });

    it('finds changes within a period in half a day, again and again', async () => {
      const { user, purchase } = await bought();
      all.clock.advanceMs(12 * HOUR_MS);
      await upkeep();
      all.clock.advanceMs(12 * HOUR_MS);
      await upkeep();
      expect(await events(user)).toEqual(['INITIAL_PURCHASE']);
      purchase.cancel();
      all.clock.advanceMs(12 * HOUR_MS);
      await upkeep();
      all.clock.advanceMs(12 * HOUR_MS);
      await upkeep();
      expect(await events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it('polls only what gives access, spread over half a day', async () => {
      const before = (await waiting()).length;
      const people = [await bought(), await bought(), await bought(), await bought()];
      people.forEach(({ purchase }) => purchase.cancel());
      all.clock.advanceMs(12 * HOUR_MS);
      await all.server.app.get(StoreTasksService).drain();
      const times = await waiting();
      expect(times.length).toBeGreaterThanOrEqual(before + 4);
      expect(new Set(times).size).toBeGreaterThan(1);
      for (const ms of times) expect(ms).toBeLessThan(12 * HOUR_MS);
      await upkeep();
      all.clock.advanceMs(60 * DAY_MS);
      await upkeep();
      all.clock.advanceMs(120 * DAY_MS);
      await upkeep();
      expect(await waiting()).toEqual([]);
    });
  });
});
