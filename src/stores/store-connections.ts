import { Inject, Injectable } from '@nestjs/common';
import { type StoreAdapter, testStore } from '../../libs/stores/index.js';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import type { AppType } from '../apps/app-types.js';
import { ApiError } from '../http/api-error.js';

/** How this server speaks to one kind of store. */
export interface StoreConnection {
  readonly appTypes: readonly AppType[];
  /** The store as one app sees it: with the app's own names and credentials. */
  adapterFor(app: App): StoreAdapter;
}

const RETRY_AFTER_S = 3600;

/** The stores this server can ask. Each store's module adds its own when it starts. */
@Injectable()
export class StoreConnections {
  private readonly connections: StoreConnection[] = [];

  constructor(@Inject(AppsService) private readonly apps: AppsService) {}

  add(connection: StoreConnection): void {
    this.connections.push(connection);
  }

  /**
   * The adapter of an app's store.
   * @throws ApiError 503 for a store this server cannot verify: the SDK keeps the purchase and posts it again,
   *   so nothing is lost until a version that can is running
   */
  async adapterOf(projectId: string, { id, type }: Pick<App, 'id' | 'type'>): Promise<StoreAdapter> {
    // It needs nothing of its app.
    if (type === 'test_store') return testStore;
    const connection = this.connections.find(({ appTypes }) => appTypes.includes(type));
    if (connection) return connection.adapterFor(await this.apps.get(projectId, id));
    throw new ApiError('store_unreachable', `This server cannot verify purchases of ${type} yet.`, {
      retryAfterS: RETRY_AFTER_S,
    });
  }
}
