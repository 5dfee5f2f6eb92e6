import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import type { Catalog, CatalogCurrency } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { timeOf } from '../../customers/customers/customer-state.js';
import { CustomersQueryService } from '../../customers/customers/customers-query.service.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { currencyEventBody } from '../../webhooks/events/currency-event-body.js';
import { ApiError } from '../../platform/http/api-error.js';
import { PurchaseRecorder } from '../recording/purchase-recorder.js';
import { type Adjustment, CurrencyAdjustments } from '../currencies/currency-adjustments.js';

export interface Balance {
  currency: CatalogCurrency;
  balance: number;
}

/** What customers hold of the project's currencies. */
@Injectable()
export class BalancesService {
  constructor(
    private readonly adjustments: CurrencyAdjustments,
    private readonly customers: CustomersService,
    private readonly customersQuery: CustomersQueryService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Balances of whoever goes by an id, nobody included, of all currencies that are in use or held. */
  async all(projectId: string, appUserId: string): Promise<Balance[]> {
    const { currencies } = await this.catalogs.get(projectId);
    if (currencies.length === 0) return [];
    const held = await this.adjustments.balances(projectId, appUserId);
    return currencies
      .map((currency) => ({ currency, balance: held.get(currency.code) ?? 0 }))
      .filter(({ currency, balance }) => currency.active || balance > 0);
  }

  /** Balances of a customer, by code. @throws ApiError 404 for an unknown customer */
  async ofCustomer(projectId: string, appUserId: string): Promise<Balance[]> {
    await this.customersQuery.get(projectId, appUserId);
    const all = await this.all(projectId, appUserId);
    return all.sort((a, b) => (a.currency.code < b.currency.code ? -1 : 1));
  }

  /**
   * Adds and takes, all or nothing. What a person adjusts is told to webhooks; a backend knows what it does.
   * @throws ApiError 404 for an unknown customer or currency; 422 for an archived currency, and when a balance
   *   would fall below zero or rise above 2,000,000,000
   */
  async adjust(write: ProjectWrite, appUserId: string, adjustment: Adjustment): Promise<void> {
    const { projectId } = write;
    // Before the transaction: a load of the catalog needs a connection of its own.
    const catalog = await this.catalogs.get(projectId);
    await this.database.transaction(async (tx) => {
      const customerId = await this.customers.lockId(tx, projectId, appUserId);
      if (customerId === null) throw ApiError.missing('customer', appUserId);
      assertInUse(catalog.currencies, Object.keys(adjustment.adjustments));
      const transactionId = await this.adjustments.apply(tx, projectId, customerId, adjustment);
      if (write.actor.type === 'user' && adjustment.kind === 'adjustment') {
        await this.recordEvent(tx, catalog, appUserId, { ...adjustment, transactionId });
      }
      await this.audit.record(tx, write, {
        action: 'virtual_currencies_adjusted',
        target: 'customer',
        targetId: appUserId,
        data: { currency_codes: Object.keys(adjustment.adjustments) },
      });
    });
  }

  /** Records the event of what was done to a locked customer. */
  private async recordEvent(
    tx: Transaction,
    catalog: Catalog,
    appUserId: string,
    { adjustments, transactionId }: Adjustment & { transactionId: string },
  ): Promise<void> {
    const { projectId } = catalog;
    const nowMs = this.clock.nowMs();
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
    const builder = this.recorder.newChange(catalog, nowMs);
    builder.addEvent(customer, null, place, (head) => currencyEventBody(head, customer, appUserId, change));
    await this.recorder.save(tx, projectId, builder, [], nowMs);
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
