import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type {
  SubscriptionRow,
  CustomerRow,
  OneTimeRow,
} from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { subscriptionOf, oneTimeOf } from '../../customers/customers/customer-info/customer-purchases.js';
import { shareTime } from '../ownership/ownership.policy.js';
import { type Handover, PurchaseMovesService } from '../recording/purchase-moves.service.js';
import { PurchaseRecorder } from '../recording/purchase.recorder.js';

export interface TransferRequest {
  sourceAppUserId: string;
  targetAppUserId: string;
  /** Null: all apps, and grants, which belong to no app. */
  appIds: string[] | null;
  requestId: string;
}

interface Transferred {
  from: CustomerRow;
  to: CustomerRow;
}

/** Transfers requested by a backend. The project's transfer behavior does not apply. */
@Injectable()
export class TransfersService {
  constructor(
    private readonly customers: CustomersService,
    private readonly moves: PurchaseMovesService,
    private readonly recorder: PurchaseRecorder,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 404 for an unknown source or app; 422 if both are the same customer or nothing would move */
  async transfer(write: ProjectWrite, request: TransferRequest): Promise<Transferred> {
    const catalog = await this.catalogs.getCurrent(write.projectId);
    const unknownApp = request.appIds?.find((id) => !catalog.apps.has(id));
    if (unknownApp !== undefined) throw ApiError.missing('app', unknownApp, 'app_ids');
    return this.writes.run(write, (tx) => this.run(tx, catalog, request), {
      retryUniqueViolation: true,
    });
  }

  private async run(tx: WriteTransaction, catalog: Catalog, request: TransferRequest): Promise<Transferred> {
    const { projectId } = tx.write;
    const { requestId, appIds } = request;
    const nowMs = tx.nowMs();
    const { from, to } = await this.lockBoth(tx, projectId, request, nowMs);
    if (!shareTime(from, to)) {
      throw new ApiError(
        'impossible',
        'Both customers must be attached to the same test clock, or neither to any.',
        {
          param: 'target_customer_id',
        },
      );
    }
    const moves = ({ appId }: SubscriptionRow | OneTimeRow): boolean =>
      appIds === null || (appId !== null && appIds.includes(appId));
    const subscriptions = from.subscriptions.filter(moves);
    const oneTime = from.purchases.filter(moves);
    const place = this.placeOf(subscriptions, oneTime);
    if (!place) throw new ApiError('impossible', 'The customer has no purchases to transfer.');
    const cause = { rule: 'transfer_action', isRestore: null, requestId } as const;
    const handover = { from, to, subscriptions, oneTime, cause, place };
    await this.recorder.record(tx, { catalog, nowMs }, (change) =>
      this.moves.move(tx, projectId, change, handover, nowMs),
    );
    await tx.audit({
      action: 'transferred',
      target: 'customer',
      targetId: from.originalAppUserId,
      data: {
        target_customer_id: to.originalAppUserId,
        subscriptions: subscriptions.length,
        purchases: oneTime.length,
      },
    });
    return { from, to };
  }

  private async lockBoth(
    tx: Transaction,
    projectId: string,
    { sourceAppUserId, targetAppUserId }: TransferRequest,
    nowMs: number,
  ): Promise<Transferred> {
    const wanted = { appUserIds: [sourceAppUserId, targetAppUserId] };
    const newcomer = { appUserId: targetAppUserId, device: null };
    const locked = await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, nowMs);
    const { customer: to, others } = locked;
    if (to.aliases.some(({ appUserId }) => appUserId === sourceAppUserId)) {
      throw new ApiError('impossible', 'Source and target are the same customer.', {
        param: 'target_customer_id',
      });
    }
    const [from] = others;
    if (from) return { from, to };
    if (await this.customers.find(projectId, sourceAppUserId, tx)) {
      throw new ConcurrentChange(`customer ${sourceAppUserId} changed before it was locked`);
    }
    throw ApiError.missing('customer', sourceAppUserId);
  }

  /** The event's app, store and environment. The app is null unless all purchases share it. */
  private placeOf(subscriptions: SubscriptionRow[], oneTime: OneTimeRow[]): Handover['place'] | null {
    const purchases = [
      ...subscriptions.map((row) => subscriptionOf(row)),
      ...oneTime.map((row) => oneTimeOf(row)),
    ].sort((a, b) => b.factsAtMs - a.factsAtMs);
    const [newest] = purchases;
    if (!newest) return null;
    const isOneApp = purchases.every(({ appId }) => appId === newest.appId);
    const isProduction = purchases.some(({ environment }) => environment === 'production');
    return {
      appId: isOneApp ? newest.appId : null,
      store: newest.store,
      environment: isProduction ? 'production' : 'sandbox',
    };
  }
}
