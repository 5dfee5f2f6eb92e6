import type { SourceApi } from '../source/source-api.js';
import type { SourceSubscription } from '../source/source.model.js';
import type { TargetApi } from '../target/target-api.js';
import { CustomerReader } from './customer-reader.js';

const none = (): Promise<never[]> => Promise.resolve([]);

/** Returns the ids of subscriptions whose transactions a later pass reads. */
async function readAgain(subscriptions: Partial<SourceSubscription>[], here: object[]): Promise<string[]> {
  const read: string[] = [];
  const source = {
    hasV1: false,
    aliases: none,
    attributes: none,
    purchases: none,
    subscriptions: () => Promise.resolve(subscriptions),
    transactions: (_project: string, id: string) => {
      read.push(id);
      return none();
    },
  } as unknown as SourceApi;
  const target = {
    customer: () => Promise.resolve({ id: 'ada' }),
    subscriptions: () => Promise.resolve(here),
  } as unknown as TargetApi;
  const products = new Map();
  const options = { source, target, project: 'p', hasCurrencies: false, products, tokens: null };
  await new CustomerReader({ ...options, isRepeat: true }).read('ada', { id: 'ada' });
  return read;
}

describe('a later pass', () => {
  it('reads transactions of subscriptions that are new or give access no longer', async () => {
    const of = (id: string, gives_access: boolean) => ({
      id,
      store: 'app_store',
      store_subscription_identifier: `${id}-1`,
      gives_access,
    });
    const here = [of('same', true), of('refunded', true), of('over', false)];
    const there = [of('same', true), of('refunded', false), of('over', false), of('new', true)];
    expect(await readAgain(there, here)).toEqual(['refunded', 'new']);
  });
});
