import type { DatabaseService, Transaction } from './database.service.js';
import { SharedTransactions } from './shared-transactions.js';

describe('SharedTransactions', () => {
  const tx = {} as Transaction;
  const database = {
    transaction: <Result>(work: (tx: Transaction) => Promise<Result>) => work(tx),
  } as unknown as DatabaseService;

  it('runs changes of a group that arrive together in one transaction', async () => {
    const ran: string[][] = [];
    const shared = new SharedTransactions<string, string>(
      database,
      (_, items) => {
        ran.push(items);
        return Promise.resolve(items.map((item) => item.toUpperCase()));
      },
      (item) => item.charAt(0),
    );
    const results = await Promise.all(['a1', 'b1', 'a2', 'a3'].map((item) => shared.submit(item)));
    expect(results).toEqual(['A1', 'B1', 'A2', 'A3']);
    expect(ran).toEqual([['a1', 'a2', 'a3'], ['b1']]);
  });

  it('returns null to all of a transaction that failed', async () => {
    const shared = new SharedTransactions<string, string>(
      database,
      () => Promise.reject(new Error('one of them is wrong')),
      () => '',
    );
    expect(await Promise.all(['a', 'b'].map((item) => shared.submit(item)))).toEqual([null, null]);
  });

  it('reports a lost connection instead of trying each change alone', async () => {
    const lost = Object.assign(new Error('connection lost'), { code: '57P01' });
    const shared = new SharedTransactions<string, string>(
      database,
      () => Promise.reject(lost),
      () => '',
    );
    await expect(shared.submit('a')).rejects.toBe(lost);
  });
});
