import { Injectable } from '@nestjs/common';
import type { Store } from '../../../libs/engine/index.js';
import type { VerificationFailure, Verified } from '../../../libs/stores/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { credentialsConfigured } from '../../catalog/apps/credentials.js';
import { ApiError } from '../../platform/http/api-error.js';
import { CredentialHealth } from '../../stores/shared/credential-health.js';
import { StoreConnections } from '../../stores/shared/store-connections.js';
import { verificationError } from '../../stores/shared/verification-error.js';
import { appsOfOrder } from './order-ids.js';

/** What a store says was bought with an order, in one of the project's apps. */
export interface FoundOrder {
  appId: string;
  store: Store;
  verified: Verified;
}

/** What is told of several refusals: that the order may be known later, before that it is not. */
const likeliest: VerificationFailure['failure'][] = ['temporary', 'credentials', 'permanent'];

/** Asks the stores for orders that nobody has posted here. */
@Injectable()
export class OrderLookups {
  constructor(
    private readonly apps: AppsService,
    private readonly connections: StoreConnections,
    private readonly health: CredentialHealth,
  ) {}

  /**
   * Asks for each app that may have sold it, until one has.
   * @throws ApiError 404 for an order that no store knows; 422 when the stores can only be asked with credentials that
   *   are missing; 503 when one could not be asked
   */
  async find(projectId: string, orderId: string): Promise<FoundOrder> {
    const types = appsOfOrder(orderId);
    const apps = (await this.apps.all(projectId)).filter(({ type }) => types.includes(type));
    const configured = apps.filter(credentialsConfigured);
    if (apps.length > 0 && configured.length === 0) {
      throw new ApiError('impossible', 'The order can only be looked up with credentials of its store.', {
        param: 'order_id',
      });
    }
    const failures: VerificationFailure[] = [];
    for (const app of configured) {
      const adapter = this.connections.adapterFor(app);
      const verified = await adapter?.order?.(orderId);
      if (!adapter || !verified) continue;
      await this.health.note(app, adapter.store, verified);
      if (verified.failure === null) return { appId: app.id, store: adapter.store, verified };
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
