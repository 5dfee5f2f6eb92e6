import type { DestinationType } from '../../libs/destinations/index.js';
import { ManualClock } from '../../libs/kernel/index.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Answer } from './api-client.js';
import {
  type AddedDestination,
  addDestination,
  deliveriesOf,
  type DestinationChanges,
  type SentDelivery,
} from './arrange-destinations.js';
import { createTestStore, type TestStore } from './arrange-store.js';
import { DestinationFakes } from './destination-fakes/destination-fakes.js';
import { startTestServer, TEST_START_MS, type TestServer } from './test-server.js';

/** Attributes without which attribution tools take no event. */
export const toolIds: Record<string, string> = {
  $adjustId: '0123456789abcdef0123456789abcdef',
  $appsflyerId: '1700000000000-1234567',
  $firebaseAppInstanceId: 'fedcba9876543210fedcba9876543210',
  $fbAnonId: 'XZ0123456789',
  $attConsentStatus: 'authorized',
};

/** A server whose destinations send to fakes of the tools, and a Test Store whose project has none yet. */
export class DestinationWorld {
  store: TestStore;

  constructor(
    readonly fakes: DestinationFakes,
    readonly server: TestServer,
    /** A second server on the same database and clock; the first one if there is none. */
    readonly replica: TestServer,
  ) {}

  get clock(): ManualClock {
    return this.server.clock;
  }

  get tools(): DestinationFakes['tools'] {
    return this.fakes.tools;
  }

  /** Another project, and tools that have received nothing. */
  async startOver(): Promise<void> {
    this.clock.advanceMs(1);
    this.fakes.reset();
    // Deliveries of the last project would be sent as well.
    await this.server.dataSource.query(`UPDATE webhook_integrations SET enabled = false`);
    this.store = await createTestStore(this.server);
  }

  add(type: DestinationType, changes?: DestinationChanges): Promise<AddedDestination> {
    return addDestination(this.server, this.store.projectId, type, this.fakes.url, changes);
  }

  /** Posts the receipt of a new purchase, as an SDK does. */
  async buy(appUserId: string, productId = 'pro_monthly'): Promise<void> {
    const answer = await this.store.sdk.post('/v1/receipts', {
      app_user_id: appUserId,
      product_id: productId,
      fetch_token: `test_${this.clock.nowMs()}_${appUserId}_${productId}`,
    });
    expect(answer.status).toBe(200);
  }

  /** Sets attributes as an SDK does. */
  setAttributes(appUserId: string, values: Record<string, string | null>): Promise<Answer> {
    const attributes = Object.entries(values).map(([name, value]) => [
      name,
      { value, updated_at_ms: this.clock.nowMs() },
    ]);
    const path = `/v1/subscribers/${encodeURIComponent(appUserId)}/attributes`;
    return this.store.sdk.post(path, { attributes: Object.fromEntries(attributes) });
  }

  /** Sends everything that is due, at both servers. */
  async drain(): Promise<void> {
    const servers = new Set([this.server, this.replica]);
    await Promise.all([...servers].map(({ app }) => app.get(DeliveryDispatcherService).drain()));
  }

  /** Advances the clock in steps and sends what becomes due. */
  async drainFor(durationMs: number, stepMs: number): Promise<void> {
    for (let atMs = 0; atMs < durationMs; atMs += stepMs) {
      await this.drain();
      this.clock.advanceMs(stepMs);
    }
    await this.drain();
  }

  deliveries(destination: Pick<AddedDestination, 'id'>): Promise<SentDelivery[]> {
    return deliveriesOf(this.server, destination);
  }

  async close(): Promise<void> {
    if (this.replica !== this.server) await this.replica.close();
    await this.server.close();
    await this.fakes.close();
  }
}

export async function startDestinationWorld({
  hasReplica = false,
  env = {},
  logTo,
}: {
  hasReplica?: boolean;
  env?: NodeJS.ProcessEnv;
  logTo?: (line: string) => void;
} = {}): Promise<DestinationWorld> {
  const clock = new ManualClock(TEST_START_MS);
  const fakes = new DestinationFakes(() => clock.nowMs());
  await fakes.start();
  const options = {
    clock,
    logTo,
    env: {
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_TRUST_PROXY: 'true',
      SERVICE_TEST_STORES: 'true',
      SERVICE_DESTINATIONS_URL: fakes.url,
      ...env,
    },
  };
  const server = await startTestServer(options);
  const { databaseUrl } = server;
  const replica = hasReplica ? await startTestServer({ ...options, databaseUrl }) : server;
  return new DestinationWorld(fakes, server, replica);
}
