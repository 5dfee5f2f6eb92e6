import type { ManualClock } from '../../libs/kernel/index.js';
import type { Answer, Json } from './api-client.js';
import { createTestStore, type TestStore } from './arrange-store.js';
import { brokenInvariants } from './customer-invariants.js';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.js';

/** A Test Store and its server. Available from `beforeAll` on. */
export interface Shop extends TestStore {
  server: TestServer;
  clock: ManualClock;
  /** Only with `hasReplica`. */
  replica: TestServer;
}

export interface ShopOptions extends TestServerOptions {
  /** Starts a second server on the same database and clock. */
  hasReplica?: boolean;
}

/**
 * A server with one Test Store for the tests of a `describe`. Anyone can sign up on it. In the end, the tables of its
 * customers must agree with each other.
 */
export function shop({ hasReplica = false, ...options }: ShopOptions = {}): Shop {
  const world = {} as Shop;
  const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true', ...options.env };

  beforeAll(async () => {
    const server = await startTestServer({ ...options, env });
    const { clock, databaseUrl } = server;
    Object.assign(world, { server, clock });
    if (hasReplica) world.replica = await startTestServer({ ...options, env, clock, databaseUrl });
    Object.assign(world, await createTestStore(server));
  });

  // Lists order rows by time; rows of the same millisecond come in any order.
  beforeEach(() => world.clock.advanceMs(1));

  afterAll(async () => {
    try {
      expect(await brokenInvariants(world.server.dataSource)).toEqual({});
    } finally {
      await world.replica?.close();
      await world.server.close();
    }
  });

  return world;
}

/** Another project on the server of a shop, with its own Test Store and owner. */
export function otherShop({ server }: Pick<Shop, 'server'>): Promise<TestStore> {
  return createTestStore(server);
}

let buyers = 0;

/** A customer of a shop, unknown until their first request. */
export class Buyer {
  constructor(
    private readonly shop: Shop,
    readonly id: string,
  ) {}

  /** Path of the customer in REST v2. */
  get path(): string {
    return `${this.shop.path}/customers/${encodeURIComponent(this.id)}`;
  }

  /** Path of the customer in REST v1. */
  get v1(): string {
    return `/v1/subscribers/${encodeURIComponent(this.id)}`;
  }

  /** Posts the receipt of a new purchase, as an SDK does. */
  buy(productId = 'pro_monthly', more: object = {}): Promise<Answer> {
    return this.shop.sdk.post('/v1/receipts', {
      app_user_id: this.id,
      fetch_token: `test_${this.shop.clock.nowMs()}_${this.id}_${productId}`,
      product_id: productId,
      ...more,
    });
  }

  /** The customer as SDKs read it, which creates the customer. */
  async info(): Promise<Json> {
    return (await this.shop.sdk.get(this.v1)).body.subscriber;
  }

  /** The first page of a list of the customer in REST v2: `list('subscriptions')`. */
  async list(name: string): Promise<Json[]> {
    return (await this.shop.backend.get(`${this.path}/${name}`)).body.items;
  }
}

/** A customer whom no other test of the process uses. */
export function buyer(shop: Shop, id = `buyer-${++buyers}`): Buyer {
  return new Buyer(shop, id);
}
