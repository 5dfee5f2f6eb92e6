import { Inject, Injectable } from '@nestjs/common';
import type { Environment, Store } from '../../libs/engine/index.js';
import type { Clock } from '../../libs/kernel/index.js';
import { AppsService } from '../apps/apps.service.js';
import { credentialsConfigured } from '../apps/credentials.js';
import { AuditLog } from '../audit/audit-log.js';
import type { ProjectWrite } from '../audit/project-write.js';
import type { Catalog } from '../catalog/catalog.model.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { CLOCK } from '../config/clock.token.js';
import type { CustomerRow } from '../customers/customer-state.js';
import { CustomersQueryService } from '../customers/customers-query.service.js';
import { CustomersService, goesBy } from '../customers/customers.service.js';
import { ConcurrentChange } from '../database/database-errors.js';
import { Database, type Transaction } from '../database/database.js';
import { ApiError } from '../http/api-error.js';
import { PurchaseLookupsService } from '../purchases/purchase-lookups.service.js';
import { PurchaseRecorder } from '../purchases/purchase-recorder.js';
import { appsOfOrder, namesOfOrder } from './order-ids.js';

export interface RestoreRequest {
  appUserId: string;
  orderId: string;
  requestId: string;
}

/** A purchase that an order id names. */
interface Ordered {
  id: string;
  key: string;
  store: Store;
  environment: Environment;
  appId: string | null;
}

const RETRY_AFTER_S = 3600;
const FEW = { limit: 10, after: null };

/** Restores purchases that customers name by an order. */
@Injectable()
export class RestoresService {
  constructor(
    @Inject(PurchaseLookupsService) private readonly lookups: PurchaseLookupsService,
    @Inject(CustomersQueryService) private readonly customersQuery: CustomersQueryService,
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(PurchaseRecorder) private readonly recorder: PurchaseRecorder,
    @Inject(CatalogService) private readonly catalogs: CatalogService,
    @Inject(AppsService) private readonly apps: AppsService,
    @Inject(AuditLog) private readonly audit: AuditLog,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Makes a known purchase the customer's as if they had restored it, where the transfer behaviour lets them. Gives the
   * customer as they are afterwards.
   * @throws ApiError 404 for an unknown customer or order; 409 when the purchase stays with another customer; 422 when
   *   the store of the order can only be asked with credentials that are missing; 503 when it cannot be asked
   */
  async restore(write: ProjectWrite, request: RestoreRequest): Promise<CustomerRow> {
    const { projectId } = write;
    const catalog = await this.catalogs.getCurrent(projectId);
    await this.customersQuery.get(projectId, request.appUserId);
    const ordered = await this.find(projectId, request.orderId);
    if (!ordered) throw await this.unknownOrder(projectId, request.orderId);
    return this.database.transaction((tx) => this.run(tx, write, catalog, request, ordered), {
      retryUniqueViolation: true,
    });
  }

  private async run(
    tx: Transaction,
    write: ProjectWrite,
    catalog: Catalog,
    { appUserId, requestId }: RestoreRequest,
    { id, key, store, environment, appId }: Ordered,
  ): Promise<CustomerRow> {
    const { projectId } = write;
    const nowMs = this.clock.nowMs();
    const purchaseKeys = { store, environment, keys: [key] };
    const locked = await this.customers.lock(tx, projectId, { appUserIds: [appUserId], purchaseKeys });
    if (!locked.some((row) => goesBy(row, appUserId))) {
      throw new ConcurrentChange(`customer ${appUserId} changed before it was locked`);
    }
    const claim = { projectId, appId, store, environment, appUserId, requestId, keys: [key] };
    const restored = await this.recorder.claim(
      tx,
      { ...claim, device: null, isRestore: true },
      catalog,
      nowMs,
      false,
    );
    if (!restored) {
      throw ApiError.alreadyExists('order_id', 'The purchase belongs to another customer and stays there.');
    }
    const { customer } = restored;
    await this.audit.record(tx, write, {
      action: 'purchase_restored',
      target: 'customer',
      targetId: customer.originalAppUserId,
      data: { purchase_id: id },
    });
    return customer;
  }

  /** What customers bought, not what they were granted; production before sandbox, the newest first. */
  private async find(projectId: string, orderId: string): Promise<Ordered | null> {
    for (const name of namesOfOrder(orderId)) {
      const chains = await this.lookups.subscriptionsNamed(projectId, name, FEW);
      const oneTime = await this.lookups.oneTimeNamed(projectId, name, FEW);
      const found: Ordered[] = [
        ...chains.map(({ owned: { chain } }) => ({ ...chain, key: chain.chainKey })),
        ...oneTime.map(({ owned: { purchase } }) => ({ ...purchase, key: purchase.purchaseKey })),
      ].filter(({ store }) => store !== 'promotional');
      const [first] = found;
      if (first) return found.find(({ environment }) => environment === 'production') ?? first;
    }
    return null;
  }

  /** Why an order that is not among the known purchases cannot be restored. */
  private async unknownOrder(projectId: string, orderId: string): Promise<ApiError> {
    const types = appsOfOrder(orderId);
    const apps = (await this.apps.all(projectId)).filter(({ type }) => types.includes(type));
    if (apps.length === 0) return ApiError.missing('order', orderId, 'order_id');
    if (!apps.some(credentialsConfigured)) {
      return new ApiError('impossible', 'The order can only be looked up with credentials of its store.', {
        param: 'order_id',
      });
    }
    return new ApiError('store_unreachable', 'This server cannot look orders of the store up yet.', {
      retryAfterS: RETRY_AFTER_S,
    });
  }
}
