import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import { type StoreAdapter, testStore, withPossibleTimes } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { type AppType, appTypes } from '../../platform/principal/app-types.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { V1Code } from '../../platform/http/v1-codes.js';
import { StoreMetrics } from './store-metrics.js';

/** What came of a harmless call to a store with some credentials. */
export interface CredentialsVerdict {
  status: 'valid' | 'invalid' | 'unreachable';
  /** For developers: what is missing or wrong. */
  message: string;
  keyId?: string;
  clientEmail?: string;
}

export interface ExtensionRequest {
  environment: Environment;
  /** Key of the subscription. */
  key: string;
  /** How much later it is to end; `days` is the same in whole days, rounded up. */
  byMs: number;
  days: number;
  /** 0 undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage; null: not given. */
  reasonCode: number | null;
}

/** How this server speaks to one kind of store. What a store cannot do is left out. */
export interface StoreConnection {
  readonly appTypes: readonly AppType[];
  /** Purchases of an app that may be asked about in a second, by all replicas together. Default: 10. */
  readonly refreshesPerSecond?: Readonly<Record<Environment, number>>;
  /**
   * No list tells what was given back: without notifications the store has to be asked, about each purchase or about
   * one of each account.
   */
  readonly reportsRefundsOnRequest?: 'by_purchase' | 'by_account';
  /** The store as one app sees it: with the app's own names and credentials. */
  adapterFor(app: App): StoreAdapter;
  /** Makes one harmless call; `given` replaces what is saved, by field. */
  verifyCredentials?(app: App, given: Record<string, string>): Promise<CredentialsVerdict>;
  /**
   * Moves the renewal date of a subscription; gives the new end, epoch ms.
   * @throws ApiError 422 when the store refuses or the app has no credentials, 503 when it cannot be reached
   */
  extend?(app: App, request: ExtensionRequest): Promise<number>;
  /** Turns renewal of a subscription off. @throws ApiError as `extend` */
  cancel?(app: App, key: string): Promise<void>;
  /**
   * Gives the latest payment of a subscription back, and ends it; of an add-on (its product id) only that.
   * @throws ApiError as `extend`
   */
  revoke?(app: App, key: string, addOnId?: string): Promise<void>;
  /** Gives one payment back; `endsAccess` takes away what it paid for. @throws ApiError as `extend` */
  refund?(app: App, transactionId: string, endsAccess: boolean): Promise<void>;
}

/** Whose credentials a store is asked with, and whether it is known to refuse them. */
export type CallingApp = Pick<App, 'projectId' | 'id' | 'credentialsRefused'>;

/** Apps whose receipts never buy anything here, and why. */
const refusals: Partial<Record<AppType, { code: V1Code; message: string }>> = {
  rc_billing: { code: 7000, message: 'This server takes no web payments.' },
};

/** The stores this server can ask. Each store's module adds its own when it starts. */
@Injectable()
export class StoreConnections {
  private readonly connections: StoreConnection[] = [];
  /** It needs nothing of its app, so there is one for all receipts. */
  private readonly testStore: StoreAdapter;

  constructor(
    private readonly apps: AppsService,
    private readonly metrics: StoreMetrics,
  ) {
    this.testStore = metrics.measured(testStore);
  }

  add(connection: StoreConnection): void {
    this.connections.push(connection);
    for (const type of connection.appTypes) this.metrics.add(type);
  }

  /** Types of apps whose stores this server can ask. */
  get types(): AppType[] {
    return appTypes.filter((type) => this.of(type) !== null);
  }

  /** Purchases of such apps can be verified here. */
  takesReceipts(type: AppType): boolean {
    return type === 'test_store' || this.of(type) !== null;
  }

  /** Null for a store that this server cannot ask. */
  of(type: AppType): StoreConnection | null {
    return this.connections.find(({ appTypes }) => appTypes.includes(type)) ?? null;
  }

  /** An app and how this server speaks to its store; null for no app, and for a store that it cannot ask. */
  async ofApp(
    projectId: string,
    appId: string | null,
  ): Promise<{ app: App; connection: StoreConnection } | null> {
    const app = appId === null ? null : await this.apps.find(projectId, appId);
    const connection = app && this.of(app.type);
    return connection && { app, connection };
  }

  /** The store of an app; null for one without adapter. */
  adapterFor(app: App): StoreAdapter | null {
    const adapter = this.of(app.type)?.adapterFor(app);
    return adapter ? this.metrics.measured(withPossibleTimes(adapter)) : null;
  }

  /**
   * The adapter of an app's store, and the app as it is now.
   * @throws ApiError 400 for a store this server cannot verify. Code 7662 makes SDKs neither finish the purchase nor
   *   take it for sent: it is posted again, until a version that can is running.
   */
  async adapterOf(
    projectId: string,
    { id, type }: Pick<App, 'id' | 'type'>,
  ): Promise<{ adapter: StoreAdapter; caller: CallingApp }> {
    if (type === 'test_store') return { adapter: this.testStore, caller: { projectId, id } };
    if (this.of(type)) {
      const caller = await this.apps.get(projectId, id);
      const adapter = this.adapterFor(caller);
      if (adapter) return { adapter, caller };
    }
    const message = `This server cannot verify purchases of ${type}.`;
    const refusal = refusals[type] ?? { code: 7662, message };
    throw new ApiError('invalid_request', refusal.message, { code: refusal.code });
  }
}
