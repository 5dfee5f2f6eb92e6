import { Injectable } from '@nestjs/common';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { CurrencyCreditsService } from './currency-credits.service.js';
import { CurrencyReturnsService, type TakenBack } from './currency-returns.service.js';
import type { ChangeBuilder } from '../recording/change-builder.js';

/** Currency revoked by refunds, and the locked customers outside the change from whom it was revoked. */
export interface CurrencyReturned {
  taken: TakenBack[];
  others: CustomerRow[];
}

@Injectable()
export class PurchaseCurrenciesService {
  constructor(
    private readonly credits: CurrencyCreditsService,
    private readonly returns: CurrencyReturnsService,
    private readonly customers: CustomersService,
  ) {}

  async settle(
    tx: Transaction,
    projectId: string,
    change: ChangeBuilder,
    nowMs: number,
  ): Promise<CurrencyReturned> {
    const { currencies } = change;
    const given = await this.credits.credit(tx, projectId, currencies.credits, nowMs);
    currencies.settle(given);
    return this.takeBack(tx, projectId, change, nowMs);
  }

  /** Also locks customers who received the currency but no longer own the purchase. */
  private async takeBack(
    tx: Transaction,
    projectId: string,
    { customers, currencies: { returns } }: ChangeBuilder,
    nowMs: number,
  ): Promise<CurrencyReturned> {
    const nothing = { taken: [], others: [] };
    if (returns.length === 0) return nothing;
    const holders = await this.returns.holders(tx, projectId, returns);
    if (holders.length === 0) return nothing;
    const away = holders.filter(({ id }) => !customers.some((customer) => customer.id === id));
    const appUserIds = away.map(({ appUserId }) => appUserId);
    const others = away.length === 0 ? [] : await this.customers.lock(tx, projectId, { appUserIds });
    const lockedIds = new Set([...customers, ...others].map(({ id }) => id));
    const taken = await this.returns.takeBack(tx, projectId, returns, lockedIds, nowMs);
    if (!taken) throw new ConcurrentChange('currencies of a refunded purchase changed hands');
    return { taken, others };
  }
}
