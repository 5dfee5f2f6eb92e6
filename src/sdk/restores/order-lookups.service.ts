import { Injectable } from '@nestjs/common';
import type { Environment, Store } from '../../../libs/engine/index.js';
import type { VerificationFailure, Verified } from '../../../libs/stores/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { credentialsConfigured } from '../../catalog/apps/credentials.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CredentialHealthService } from '../../stores/shared/credential-health.service.js';
import { StoreConnectionsService } from '../../stores/shared/store-connections.service.js';
import { verificationError } from '../../stores/shared/verification-error.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { appsOfOrder, namesOfOrder } from './order-ids.js';

export interface Order {
  /** Only set for a recorded purchase, like `keys`. */
  id?: string;
  /** Keys of everything that the order paid for. */
  keys?: string[];
  store: Store;
  environment: Environment;
  appId: string | null;
  /** The store's answer for an order that is not recorded. */
  verified?: Verified;
}

const ALL = { limit: 100, after: null };

/** If several stores fail, reports the failure listed first: possible success later outranks permanent failure. */
const likeliest: VerificationFailure['failure'][] = ['temporary', 'credentials', 'permanent'];

/** Finds purchases by order id in the database, or else at their stores. */
@Injectable()
export class OrderLookupsService {
  constructor(
    private readonly lookups: PurchaseLookupsService,
    private readonly apps: AppsService,
    private readonly connections: StoreConnectionsService,
    private readonly health: CredentialHealthService,
  ) {}

  /** @throws ApiError 404, 422 and 503, as in `findAtStore` */
  async find(projectId: string, orderId: string): Promise<Order> {
    return (await this.findRecorded(projectId, orderId)) ?? this.findAtStore(projectId, orderId);
  }

  /** Ignores grants. Prefers production, then the newest. */
  private async findRecorded(projectId: string, orderId: string): Promise<Order | null> {
    for (const name of namesOfOrder(orderId)) {
      const subscriptions = await this.lookups.subscriptionsNamed(projectId, name, ALL);
      const oneTime = await this.lookups.oneTimeNamed(projectId, name, ALL);
      const found = [
        ...subscriptions.map(({ owned: { subscription } }) => ({
          ...subscription,
          key: subscription.storeKey,
        })),
        ...oneTime.map(({ owned: { purchase } }) => ({ ...purchase, key: purchase.purchaseKey })),
      ].filter(({ store }) => store !== 'promotional');
      const first = found.find(({ environment }) => environment === 'production') ?? found[0];
      if (!first) continue;
      const { id, store, environment, appId } = first;
      const together = found.filter(
        (one) => one.store === store && one.environment === environment && one.appId === appId,
      );
      return { id, store, environment, appId, keys: together.map(({ key }) => key) };
    }
    return null;
  }

  /**
   * Queries the store of each app that may have sold the order, until one recognizes it.
   * @throws ApiError 404 if no store knows the order; 422 if credentials are missing; 503 if a store cannot be reached
   */
  private async findAtStore(projectId: string, orderId: string): Promise<Order> {
    const types = appsOfOrder(orderId);
    const apps = (await this.apps.all(projectId)).filter(({ type }) => types.includes(type));
    const configured = apps.filter(credentialsConfigured);
    if (apps.length > 0 && configured.length === 0) {
      throw new ApiError('impossible', 'Looking up an order requires credentials of its store.', {
        param: 'order_id',
      });
    }
    const failures: VerificationFailure[] = [];
    for (const app of configured) {
      const adapter = this.connections.adapterFor(app);
      const verified = await adapter?.order?.(orderId);
      if (!adapter || !verified) continue;
      await this.health.recordResult(app, adapter.store, verified);
      if (verified.failure === null) {
        const { environment } = verified;
        return { appId: app.id, store: adapter.store, environment, verified };
      }
      failures.push(verified);
    }
    failures.sort((a, b) => likeliest.indexOf(a.failure) - likeliest.indexOf(b.failure));
    const [failure] = failures;
    if (!failure) throw ApiError.missing('order', orderId, 'order_id');
    if (failure.failure === 'permanent') {
      throw new ApiError('missing', `There is no order ${JSON.stringify(orderId)}. ${failure.message}`, {
        param: 'order_id',
      });
    }
    throw verificationError(failure);
  }
}
