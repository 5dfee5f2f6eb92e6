import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  type ListedProduct,
  listStripeProducts,
  type StoreAdapter,
  StripeApi,
  StripeCallFailed,
  type StripeServices,
  StripeStore,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { LISTING_DEADLINE_MS } from '../shared/listing-deadline.js';
import {
  type CredentialsVerdict,
  type StoreConnection,
  StoreConnectionsService,
} from '../shared/store-connections.service.js';
import { soldOnceBy } from '../shared/sold-once.js';
import { storeCircuits } from '../shared/store-circuits.js';
import { unreachableError } from '../shared/unreachable-error.js';

/** Deadline for Stripe while a client waits for its receipt. */
const DEADLINE_MS = 8_000;
/** Background work may read long histories. */
const BACKGROUND_DEADLINE_MS = 60_000;

/** Connects to Stripe with each developer's own account and key. */
@Injectable()
export class StripeConnection implements StoreConnection, OnModuleInit {
  readonly appTypes = ['stripe'] as const;
  /** A refresh takes at least three requests. Stripe allows 100 a second in live mode and 25 in test mode. */
  readonly refreshesPerSecond = { production: 10, sandbox: 5 };
  readonly reportsRefundsOnRequest = 'by_purchase';
  private readonly services: StripeServices;

  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly apps: AppsService,
    private readonly catalogs: CatalogService,
    config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.services = {
      url: config.testStores ? config.stripeApiUrl : null,
      deadlineMs: DEADLINE_MS,
      breaker: storeCircuits(clock),
    };
  }

  onModuleInit(): void {
    this.connections.add(this);
  }

  adapterFor(app: App): StoreAdapter {
    const interactive = this.storeOf(app, DEADLINE_MS);
    const inBackground = this.storeOf(app, BACKGROUND_DEADLINE_MS);
    return {
      store: 'stripe',
      verify: (receipt, context) => interactive.verify(receipt, context),
      lookUp: (named) => inBackground.lookUp(named),
      refresh: (key, environment) => inBackground.refresh(key, environment),
    };
  }

  async verifyCredentials(app: App, given: Record<string, string>): Promise<CredentialsVerdict> {
    const secretKey = given.stripe_secret_key ?? this.apps.credential(app, 'stripe_secret_key');
    if (secretKey === null) return { status: 'invalid', message: 'The app has no stripe_secret_key.' };
    try {
      const api = await StripeApi.create({ appId: app.id, secretKey }, this.services);
      await api.check();
      return {
        status: 'valid',
        message: 'Stripe accepts the key for all calls that verifying receipts needs.',
      };
    } catch (error) {
      if (!(error instanceof StripeCallFailed)) throw error;
      const { failure, message } = error;
      return { status: failure === 'unavailable' ? 'unreachable' : 'invalid', message };
    }
  }

  async listProducts(app: App): Promise<ListedProduct[]> {
    const secretKey = this.apps.credential(app, 'stripe_secret_key');
    if (secretKey === null) throw new ApiError('impossible', 'The app has no stripe_secret_key.');
    const services = { ...this.services, deadlineMs: LISTING_DEADLINE_MS };
    try {
      return await listStripeProducts(await StripeApi.create({ appId: app.id, secretKey }, services));
    } catch (error) {
      if (!(error instanceof StripeCallFailed)) throw error;
      if (error.failure === 'unavailable') throw unreachableError(error);
      throw new ApiError(
        'impossible',
        `stripe_secret_key must be a key that may read Prices and Products. ${error.message}`,
        { code: 7101 },
      );
    }
  }

  private storeOf(app: App, deadlineMs: number): StripeStore {
    const stripeApp = {
      appId: app.id,
      secretKey: this.apps.credential(app, 'stripe_secret_key'),
      soldOnce: async () => soldOnceBy(await this.catalogs.get(app.projectId), app.id),
    };
    return new StripeStore(stripeApp, { ...this.services, deadlineMs }, () => this.clock.nowMs());
  }
}
