import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '../../test/support/patient-server.js';
import { holdDeadlines } from '../../test/support/held-deadlines.js';
import { ManualClock } from '../kernel/index.js';
import { AmazonStore } from './amazon/amazon-store.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { PostedReceipt, StoreAdapter } from './contract.js';
import { PaddleStore } from './paddle/paddle-store.js';
import { StripeStore } from './stripe/stripe-store.js';

const DEADLINE_MS = 20_000;
const FIRST_PAUSE_MS = 5_000;

const silent: [string, RequestListener][] = [
  ['never answers', () => undefined],
  ['begins an answer and never ends it', (_, response) => response.writeHead(200).write('{')],
];

describe.each(silent)('a store that %s', (_, hang) => {
  const clock = new ManualClock(1);
  let server: Server;
  let url = '';
  let calls = 0;
  let answer = hang;

  beforeAll(async () => {
    server = createServer(patientServer, (request, response) => {
      calls++;
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    answer = hang;
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
  const amazonApp = {
    appId: 'app',
    sharedSecret: 'secret',
    usersOf: () => Promise.resolve([]),
    boughtOnce: () => Promise.resolve(null),
  };
  const soldOnce = () => Promise.resolve(() => false);
  const stores: [string, (breaker: CircuitBreaker) => StoreAdapter][] = [
    [
      'sub_1',
      (breaker) =>
        new StripeStore(
          { appId: 'app', secretKey: 'rk_1', soldOnce },
          { url, deadlineMs: DEADLINE_MS, breaker },
          () => 1,
        ),
    ],
    [
      `sub_${'0'.repeat(26)}`,
      (breaker) =>
        new PaddleStore(
          { appId: 'app', apiKey: 'pdl_live_apikey_1', isSandbox: false, customDataKey: null, soldOnce },
          { url, deadlineMs: DEADLINE_MS, breaker },
          () => 1,
        ),
    ],
    ['receipt', (breaker) => new AmazonStore(amazonApp, { url, deadlineMs: DEADLINE_MS, breaker }, () => 1)],
  ];

  /** Returns the results of `many` receipts once their calls have arrived and their deadline has passed. */
  const hung = async (ask: () => ReturnType<StoreAdapter['verify']>, many: number) => {
    const deadlines = holdDeadlines(DEADLINE_MS);
    try {
      const before = calls;
      const hanging = Promise.all(Array.from({ length: many }, ask));
      while (calls < before + many) await new Promise((resolve) => setImmediate(resolve));
      deadlines.pass();
      return await hanging;
    } finally {
      deadlines.restore();
    }
  };

  it.each(stores)('leaves %s to be posted again', async (token, make) => {
    const store = make(new CircuitBreaker(() => clock.nowMs()));
    const [verified] = await hung(() => store.verify(receipt(token), context), 1);
    expect(verified).toMatchObject({ failure: 'temporary', code: 7101 });
  });

  it.each(stores)('pauses soon with %s, until it answers', async (token, make) => {
    const store = make(new CircuitBreaker(() => clock.nowMs()));
    const ask = () => store.verify(receipt(token), context);
    await hung(ask, 5);
    calls = 0;
    const leftAlone = { failure: 'temporary', code: 7101, retryAfterMs: FIRST_PAUSE_MS };
    expect(await ask()).toMatchObject(leftAlone);
    expect(calls).toBe(0);
    clock.advanceMs(FIRST_PAUSE_MS);
    answer = (_request, response) => response.writeHead(404).end('{}');
    await ask();
    await Promise.all(Array.from({ length: 10 }, ask));
    expect(calls).toBe(11);
  });
});
