import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import {
  type AnswerResult,
  type AppleRefundAnswer,
  type ListedProduct,
  type RefundReview,
  type StoreAdapter,
  testStore,
  withPossibleTimes,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { type AppType, appTypes } from '../../platform/principal/app-types.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { V1Code } from '../../platform/http/errors/v1-codes.js';
import { UnknownValuesService } from '../../purchases/unknown-values/unknown-values.service.js';
import { StoreMetrics } from './store.metrics.js';

/** Result of a harmless call to a store with some credentials. */
export interface CredentialsVerdict {
  status: 'valid' | 'invalid' | 'unreachable';
  /** Shown to developers: what is missing or wrong. */
  message: string;
  keyId?: string;
  clientEmail?: string;
}

export interface ExtensionRequest {
  environment: Environment;
  /** Key of the subscription. */
  key: string;
  /** Distance to move the end by. `days` is the same in whole days, rounded up. */
  byMs: number;
  days: number;
  /** 0 undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage; null if not given. */
  reasonCode: number | null;
}

/** The answer to a refund request of the App Store. */
export interface ConsumptionToSend {
  environment: Environment;
  transactionId: string;
  answer: AppleRefundAnswer;
}

/** The answer to Google's review of a chargeback. `token` is secret. */
export interface ReviewToSend {
  orderId: string;
  token: string;
  review: RefundReview;
}

/** The calls to one store. Optional members are missing if the store lacks the feature. */
export interface StoreConnection {
  readonly appTypes: readonly AppType[];
  /** Maximum number of an app's purchases refreshed per second, across all replicas. Default: 10. */
  readonly refreshesPerSecond?: Readonly<Record<Environment, number>>;
  /** The store limits callers by IP address, so all apps of this server share `refreshesPerSecond`. */
  readonly limitsByAddress?: boolean;
  /** There is no list of refunds: without notifications, each purchase, or one of each account, must be read. */
  readonly reportsRefundsOnRequest?: 'by_purchase' | 'by_account';
  adapterFor(app: App): StoreAdapter;
  /**
   * Lists the app's products in the store. `withPrices` may take many calls more.
   * @throws ApiError 422 if a credential or permission is missing, 503 if the store cannot be reached; TooManyListed
   */
  listProducts?(app: App, options: { withPrices: boolean }): Promise<ListedProduct[]>;
  /** Makes one harmless call; fields in `given` replace the saved ones. */
  verifyCredentials?(app: App, given: Record<string, string>): Promise<CredentialsVerdict>;
  /**
   * Moves the renewal date of a subscription. Returns the new end, epoch ms.
   * @throws ApiError 422 if the store refuses or the app has no credentials, 503 if it cannot be reached
   */
  extend?(app: App, request: ExtensionRequest): Promise<number>;
  /** Turns renewal of a subscription off. @throws ApiError like `extend` */
  cancel?(app: App, key: string): Promise<void>;
  /**
   * Refunds the latest payment of a subscription and ends it. `addOnId` (its product id) limits both to that add-on.
   * @throws ApiError like `extend`
   */
  revoke?(app: App, key: string, addOnId?: string): Promise<void>;
  /** Refunds one payment. `endsAccess` also ends what it paid for. @throws ApiError like `extend` */
  refund?(app: App, transactionId: string, endsAccess: boolean): Promise<void>;
  /** Answers a refund request of the App Store once. */
  sendConsumption?(app: App, consumption: ConsumptionToSend): Promise<AnswerResult>;
  /** Answers Google's review of a chargeback once. */
  reviewRefund?(app: App, review: ReviewToSend): Promise<AnswerResult>;
}

/** The app whose credentials are used, and whether the store is known to refuse them. */
export type CallingApp = Pick<App, 'projectId' | 'id' | 'credentialsRefused'>;

/** Apps whose receipts this server never accepts, with the reason. */
const refusals: Partial<Record<AppType, { code: V1Code; message: string }>> = {
  rc_billing: { code: 7000, message: 'This server does not accept web payments.' },
};

/** The stores this server can call. Each store's module registers its own at start-up. */
@Injectable()
export class StoreConnectionsService {
  private readonly connections: StoreConnection[] = [];
  /** Independent of the app, so one instance serves all receipts. */
  private readonly testStore: StoreAdapter;

  constructor(
    private readonly apps: AppsService,
    private readonly metrics: StoreMetrics,
    private readonly unknownValues: UnknownValuesService,
  ) {
    this.testStore = metrics.measured(testStore);
  }

  add(connection: StoreConnection): void {
    this.connections.push(connection);
    for (const type of connection.appTypes) this.metrics.add(type);
  }

  get types(): AppType[] {
    return appTypes.filter((type) => this.forType(type) !== null);
  }

  takesReceipts(type: AppType): boolean {
    return type === 'test_store' || this.forType(type) !== null;
  }

  /** Null for a store that this server cannot call. */
  forType(type: AppType): StoreConnection | null {
    return this.connections.find(({ appTypes }) => appTypes.includes(type)) ?? null;
  }

  /**
   * Returns an app with the connection to its store. Null without an app, or for a store that this server cannot call.
   */
  async forApp(
    projectId: string,
    appId: string | null,
  ): Promise<{ app: App; connection: StoreConnection } | null> {
    const app = appId === null ? null : await this.apps.find(projectId, appId);
    const connection = app && this.forType(app.type);
    return connection && { app, connection };
  }

  /** The store of an app; null if there is no adapter for it. */
  adapterFor(app: App): StoreAdapter | null {
    const adapter = this.forType(app.type)?.adapterFor(app);
    if (!adapter) return null;
    return this.metrics.measured(withPossibleTimes(adapter), ({ unknown = [] }) =>
      this.unknownValues.record(app, unknown),
    );
  }

  /**
   * @throws ApiError 400 for a store this server cannot verify. With code 7662 SDKs neither finish the purchase nor
   * mark it as sent: they post it again until a server version supports the store.
   */
  async adapterOf(
    projectId: string,
    { id, type }: Pick<App, 'id' | 'type'>,
  ): Promise<{ adapter: StoreAdapter; caller: CallingApp }> {
    if (type === 'test_store') return { adapter: this.testStore, caller: { projectId, id } };
    if (this.forType(type)) {
      const caller = await this.apps.get(projectId, id);
      const adapter = this.adapterFor(caller);
      if (adapter) return { adapter, caller };
    }
    const message = `This server cannot verify purchases of ${type}.`;
    const refusal = refusals[type] ?? { code: 7662, message };
    throw new ApiError('invalid_request', refusal.message, { code: refusal.code });
  }
}
