import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { PostedPurchasesService } from './posted-purchases.service.js';
import type { PostedPurchases } from './posted-purchases.js';

function serviceOn(transaction: () => Promise<unknown>): PostedPurchasesService {
  const unused = {} as never;
  const database = { transaction } as never;
  return new PostedPurchasesService(unused, unused, unused, unused, unused, database);
}

const posted = { projectId: 'proj1', store: 'test_store', environment: 'sandbox' } as PostedPurchases;
const catalog = {} as Catalog;

/** Posts ten receipts at once. Returns each outcome and the number of transactions. */
async function postTen(failure: Error) {
  let transactions = 0;
  const service = serviceOn(() => {
    transactions++;
    return Promise.reject(failure);
  });
  const ends = await Promise.allSettled(Array.from({ length: 10 }, () => service.record(posted, catalog)));
  return {
    reasons: ends.map((end) => (end.status === 'rejected' ? (end.reason as unknown) : null)),
    transactions,
  };
}

describe('receipts that arrive together', () => {
  it('asks a database that went away for one connection only', async () => {
    const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { reasons, transactions } = await postTen(lost);
    expect(reasons).toEqual(Array(10).fill(lost));
    expect(transactions).toBe(1);
  });

  it('gets a transaction for each when one of them spoiled the common one', async () => {
    const { transactions } = await postTen(Object.assign(new Error('lock timeout'), { code: '55P03' }));
    expect(transactions).toBe(11);
  });
});
