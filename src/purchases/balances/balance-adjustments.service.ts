import { Injectable } from '@nestjs/common';
import type { Catalog, CatalogCurrency } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { currencyEventBody } from '../../webhooks/events/currency-event-body.js';
import { type Adjustment, CurrencyAdjustmentsService } from '../currencies/currency-adjustments.service.js';
import { PurchaseRecorder } from '../recording/purchase.recorder.js';

@Injectable()
export class BalanceAdjustmentsService {
  constructor(
    private readonly adjustments: CurrencyAdjustmentsService,
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Adds and subtracts amounts, all or nothing. Emits an event only for a dashboard user's change: a backend knows its
   * own changes.
   * @throws ApiError 404 for an unknown customer or currency; 422 for an archived currency, or if a balance would fall
   * below zero or rise above 2,000,000,000
   */
  async adjust(write: ProjectWrite, appUserId: string, adjustment: Adjustment): Promise<void> {
    const { projectId } = write;
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.getCurrent(projectId);
    await this.writes.run(write, async (tx) => {
      const customerId = await this.customers.lockId(tx, projectId, appUserId);
      if (customerId === null) throw ApiError.missing('customer', appUserId);
      assertInUse(catalog.currencies, Object.keys(adjustment.adjustments));
      const transactionId = await this.adjustments.apply(tx, projectId, customerId, adjustment);
      if (write.actor.type === 'user' && adjustment.kind === 'adjustment') {
        await this.recordEvent(tx, catalog, appUserId, { ...adjustment, transactionId });
      }
      await tx.audit({
        action: 'virtual_currencies_adjusted',
        target: 'customer',
        targetId: appUserId,
        data: { currency_codes: Object.keys(adjustment.adjustments) },
      });
    });
  }

  /** The customer must be locked. */
  private async recordEvent(
    tx: WriteTransaction,
    catalog: Catalog,
    appUserId: string,
    { adjustments, transactionId }: Adjustment & { transactionId: string },
  ): Promise<void> {
    const { projectId } = catalog;
    const nowMs = tx.nowMs();
    const customer = await this.customers.lockExisting(tx, projectId, appUserId);
    const change = {
      country: customer.lastSeenCountry,
      transactionId,
      adjustments: Object.entries(adjustments).map(([code, amount]) => {
        const { name = code, description = null } = catalog.currencies.find((own) => own.code === code) ?? {};
        return { amount, currency: { code, name, description } };
      }),
    };
    const place = {
      type: 'VIRTUAL_CURRENCY_TRANSACTION',
      dedupeKey: `vca:${transactionId}`,
      occurredAtMs: timeOf(customer, nowMs),
      subscriptionId: null,
      purchaseId: null,
      appId: null,
      environment: null,
      delivery: 'send' as const,
    };
    await this.recorder.record(tx, { catalog, nowMs }, (written) =>
      written.addEvent(customer, null, place, (head) => currencyEventBody(head, customer, appUserId, change)),
    );
  }
}

function assertInUse(currencies: readonly CatalogCurrency[], codes: string[]): void {
  for (const code of codes) {
    const currency = currencies.find((known) => known.code === code);
    if (!currency) throw ApiError.missing('virtual currency', code, `adjustments.${code}`);
    if (currency.active) continue;
    throw new ApiError('archived_reference', `The virtual currency ${code} is archived.`, {
      param: `adjustments.${code}`,
      referencedObjectIds: [code],
    });
  }
}
