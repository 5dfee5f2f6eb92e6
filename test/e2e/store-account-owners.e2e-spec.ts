import fc from 'fast-check';
import { type AccountPurchase, type AccountStore, accountStores } from '../support/store-accounts.js';

const HISTORIES = 12;
const seed = fc.readConfigureGlobal().seed ?? 0;

/** Something that reaches the server: a receipt or a notification of one of the purchases. */
const deed = fc.record({
  account: fc.nat(1),
  purchase: fc.nat(2),
  kind: fc.constantFrom<'post' | 'notify'>('post', 'notify', 'notify'),
});
/** What happens at the same time, round by round. */
const rounds = fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 });

/** Receipts and notifications of the same and of different purchases of one store account, in random orders. */
describe.each(Object.entries(accountStores))('purchases with one account of %s', (_name, start) => {
  let store: AccountStore;
  let count = 0;

  beforeAll(async () => {
    store = await start();
  });
  afterAll(() => store.close());

  const query = <T>(text: string, values: unknown[]): Promise<T[]> =>
    store.server.dataSource.query<T[]>(text, values);

  const ownersOf = async (purchases: AccountPurchase[]): Promise<Map<string, string>> => {
    const rows = await query<{ key: string; owner: string }>(
      `SELECT store_key AS key, customer_id AS owner FROM subscriptions
       WHERE project_id = $1 AND store_key = ANY ($2)`,
      [store.projectId, purchases.map(({ key }) => key)],
    );
    return new Map(rows.map(({ key, owner }) => [key, owner]));
  };

  const idOf = async (appUserId: string): Promise<string | undefined> => {
    const rows = await query<{ id: string }>(
      'SELECT customer_id AS id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2',
      [store.projectId, appUserId],
    );
    return rows[0]?.id;
  };

  const customersWithoutPurchases = (): Promise<unknown[]> =>
    query(
      `SELECT c.original_app_user_id FROM customers c WHERE c.project_id = $1
         AND NOT EXISTS (SELECT FROM subscriptions s WHERE s.project_id = $1 AND s.customer_id = c.id)`,
      [store.projectId],
    );

  it(`assigns one owner, who is the payer, and leaves no other customer behind (seed ${seed})`, async () => {
    for (const history of fc.sample(rounds, { seed, numRuns: HISTORIES })) {
      const number = ++count;
      const accounts = [0, 1].map((index) => ({
        buy: store.newAccount(),
        payer: `payer-${number}-${index}`,
        purchases: new Map<number, AccountPurchase>(),
        isPosted: false,
      }));
      for (const round of history) {
        const work = round.map(({ account: index, purchase: name, kind }) => {
          const account = accounts[index]!;
          const purchase = account.purchases.get(name) ?? account.buy();
          account.purchases.set(name, purchase);
          if (kind === 'notify') return async () => void (await purchase.notify());
          account.isPosted = true;
          return async () => expect((await purchase.post(account.payer)).status).toBe(200);
        });
        await Promise.all(work.map((run) => run()));
      }
      for (const { buy, payer, purchases, isPosted } of accounts) {
        if (purchases.size === 0) continue;
        const next = buy();
        await next.notify();
        const all = [...purchases.values(), next];
        const owners = await ownersOf(all);
        const payers = new Set(owners.values());
        expect([number, owners.size, payers.size]).toEqual([number, all.length, 1]);
        if (isPosted) expect([number, ...payers]).toEqual([number, await idOf(payer)]);
      }
      expect([number, await customersWithoutPurchases()]).toEqual([number, []]);
    }
  });

  it('assigns them to one customer when many are reported at once, and each account to its own', async () => {
    const before = await query('SELECT id FROM customers WHERE project_id = $1', [store.projectId]);
    const accounts = Array.from({ length: 4 }, () => store.newAccount());
    const bought = accounts.map((buy) => [buy(), buy(), buy()]);
    await Promise.all(bought.flat().map((purchase) => purchase.notify()));
    const owners = await Promise.all(bought.map(async (some) => new Set((await ownersOf(some)).values())));
    expect(owners.map(({ size }) => size)).toEqual([1, 1, 1, 1]);
    const after = await query('SELECT id FROM customers WHERE project_id = $1', [store.projectId]);
    expect(after.length - before.length).toBe(4);
  });
});
