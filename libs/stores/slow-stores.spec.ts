import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AmazonStore } from './amazon/amazon-store.js';
import type { PostedReceipt, StoreAdapter } from './contract.js';
import { StripeStore } from './stripe/stripe-store.js';

const DEADLINE_MS = 50;

describe('a store that never answers', () => {
  let server: Server;
  let url = '';

  beforeAll(async () => {
    server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const context = { nowMs: 1, product: () => undefined, hadProduct: () => false };
  const receipt = (fetchToken: string): PostedReceipt => ({
    fetchToken,
    storeUserId: 'somebody',
    productIds: [],
    price: null,
    country: null,
    presentedOfferingId: null,
  });
  const stores: [string, () => StoreAdapter][] = [
    ['sub_1', () => new StripeStore({ secretKey: 'rk_1' }, { url, deadlineMs: DEADLINE_MS }, () => 1)],
    [
      'receipt',
      () => {
        const app = { sharedSecret: 'secret', usersOf: () => Promise.resolve([]) };
        return new AmazonStore(app, { url, deadlineMs: DEADLINE_MS }, () => 1);
      },
    ],
  ];

  it.each(stores)('leaves %s to be posted again', async (token, store) => {
    expect(await store().verify(receipt(token), context)).toMatchObject({ failure: 'temporary', code: 7101 });
  });
});
