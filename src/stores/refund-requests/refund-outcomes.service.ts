import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { ownerAmong } from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import type { ReportedOutcome } from './new-refund-request.js';
import { placeOf } from './refund-facts.service.js';
import { addDecided } from './refund-request-events.js';
import type { RefundRequest } from './refund-request.entity.js';
import { RefundRequestsRepository } from './refund-requests.repository.js';

const refunded: ReadonlySet<string | null> = new Set(['refunded', 'partially_refunded']);

/** A reversal belongs to the newest refund; any other outcome to the newest request without one. */
function requestFor(requests: RefundRequest[], { outcome }: ReportedOutcome): RefundRequest | undefined {
  return requests.find((one) => (outcome === 'reversed' ? refunded.has(one.outcome) : one.outcome === null));
}

/** Records what stores decided about refund requests. Never changes a purchase. */
@Injectable()
export class RefundOutcomesService {
  constructor(
    private readonly repository: RefundRequestsRepository,
    private readonly catalogs: CatalogService,
    private readonly customers: CustomersService,
    private readonly transactions: TransactionsService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Call after the money is recorded. Refunds without a request, and repeated reports, change nothing. */
  async record(app: App, reported: ReportedOutcome): Promise<void> {
    const { projectId, id: appId } = app;
    const catalog = await this.catalogs.get(projectId);
    await this.database.transaction(async (tx) => {
      const requests = await this.repository.ofPayment(tx, { projectId, appId }, reported);
      if (requests.some(({ outcomeKey }) => outcomeKey === reported.outcomeKey)) return;
      const found = requestFor(requests, reported);
      if (!found) return;
      const owner = await this.lockOwner(tx, found);
      const locked = await this.repository.lock(tx, found);
      if (locked?.outcome !== found.outcome) throw new ConcurrentChange('another report set the outcome');
      const outcome = {
        outcome: reported.outcome,
        outcomeAt: new Date(reported.atMs),
        outcomeKey: reported.outcomeKey,
        ...(await this.amountsOf(tx, locked, reported, owner)),
      };
      await this.repository.setOutcome(tx, locked, outcome);
      if (!owner || locked.customerId === null || locked.isUnverified) return;
      const nowMs = this.clock.nowMs();
      await this.recorder.record(tx, { catalog, nowMs }, (change) =>
        addDecided(change, { ...locked, ...outcome }, owner, catalog, nowMs),
      );
    });
  }

  /** Records those of many outcomes that open requests wait for. */
  async recordAll(app: App, reported: ReportedOutcome[]): Promise<void> {
    const { projectId, id: appId } = app;
    const orders = reported.map(({ paymentId }) => paymentId);
    const open = new Set(await this.repository.openOrders({ projectId, appId }, orders));
    for (const one of reported) if (open.has(one.paymentId)) await this.record(app, one);
  }

  private async lockOwner(tx: Transaction, request: RefundRequest): Promise<CustomerRow | undefined> {
    const place = placeOf(request);
    if (place === null) return undefined;
    const { store, environment, purchaseKey } = place;
    const purchaseKeys = { store, environment, keys: [purchaseKey] };
    const owners = await this.customers.lock(tx, request.projectId, { appUserIds: [], purchaseKeys });
    return ownerAmong(owners, place, { key: purchaseKey });
  }

  private async amountsOf(
    tx: Transaction,
    { projectId, environment, refundedMicros, refundedUsdMicros }: RefundRequest,
    { outcome, paymentId }: ReportedOutcome,
    owner: CustomerRow | undefined,
  ): Promise<Pick<RefundRequest, 'refundedMicros' | 'refundedUsdMicros'>> {
    if (outcome === 'reversed') return { refundedMicros, refundedUsdMicros };
    if (outcome === 'declined' || !owner) return { refundedMicros: null, refundedUsdMicros: null };
    const payment = { projectId, customerId: owner.id, environment, storeId: paymentId };
    const money = await this.transactions.moneyOf(payment, tx);
    return { refundedMicros: money.refundedMicros, refundedUsdMicros: money.refundedUsdMicros };
  }
}
