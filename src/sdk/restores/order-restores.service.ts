import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import {
  oneTimeOfPurchase,
  subscriptionOfPurchase,
} from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { applyOwned } from '../../purchases/recording/apply-purchases.js';
import type { OwnedPurchases } from '../../purchases/recording/posted-purchases.js';
import { PurchaseClaims } from '../../purchases/ownership/purchase-claims.service.js';
import { PurchaseMovesService } from '../../purchases/recording/purchase-moves.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import type { Order } from './order-lookups.service.js';

export interface RestoreRequest {
  appUserId: string;
  orderId: string;
  requestId: string;
}

@Injectable()
export class OrderRestoresService {
  constructor(
    private readonly claims: PurchaseClaims,
    private readonly moves: PurchaseMovesService,
    private readonly recorder: PurchaseRecorder,
    private readonly reported: ReportedPurchasesService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** Returns the updated customer. @throws ApiError 409 if the purchase stays with another customer */
  async restore(
    write: ProjectWrite,
    catalog: Catalog,
    request: RestoreRequest,
    order: Order,
  ): Promise<CustomerRow> {
    try {
      return await this.writes.run(write, (tx) => this.restoreIn(tx, catalog, request, order), {
        retryUniqueViolation: true,
      });
    } catch (error) {
      if (error instanceof ApiError && order.appId !== null && order.verified) {
        // The store's data is valid even if the purchases stay with other customers.
        const { appId, store, environment, verified } = order;
        const { purchases } = verified;
        await this.reported.record({ projectId: write.projectId, appId, store, environment, purchases });
      }
      throw error;
    }
  }

  private async restoreIn(
    tx: WriteTransaction,
    catalog: Catalog,
    { appUserId, requestId }: RestoreRequest,
    { id, keys, store, environment, appId, verified }: Order,
  ): Promise<CustomerRow> {
    const { projectId } = tx.write;
    const { purchases = [], accounts = [] } = verified ?? {};
    const named = keys?.map((key) => ({ key })) ?? purchases;
    const claim = { projectId, appId, store, environment, appUserId, requestId, purchases: named };
    const claimed = await this.claims.claim(
      tx,
      { ...claim, accounts, device: null, isRestore: true },
      catalog,
      { createsCustomer: false },
    );
    if (claimed.kind === 'refused') {
      throw ApiError.alreadyExists('order_id', 'The purchase belongs to another customer and stays there.');
    }
    const { customer, nowMs } = claimed;
    const owned = appId === null ? null : { ...claim, appId, purchases };
    if (owned) assertSells(owned, customer);
    await this.recorder.record(tx, { catalog, nowMs }, async (change) => {
      await this.moves.moveClaimed(tx, change, claimed);
      if (owned) applyOwned(change, owned, customer, nowMs);
    });
    await tx.audit({
      action: 'purchase_restored',
      target: 'customer',
      targetId: customer.originalAppUserId,
      data: { purchase_id: id ?? (owned && boughtId(owned, customer)) },
    });
    return customer;
  }
}

/** @throws ApiError 422 for a customer on a test clock */
function assertSells({ purchases }: OwnedPurchases, { testClockId }: CustomerRow): void {
  if (purchases.length === 0 || testClockId === null) return;
  throw new ApiError(
    'impossible',
    'The customer is attached to a test clock and can have only Test Store purchases.',
  );
}

function boughtId(owned: OwnedPurchases, { subscriptions, purchases }: CustomerRow): string | null {
  const last = owned.purchases.at(-1);
  if (!last) return null;
  const bought =
    last.kind === 'subscription'
      ? subscriptionOfPurchase(subscriptions, owned, last)
      : oneTimeOfPurchase(purchases, owned, last);
  return bought?.id ?? null;
}
