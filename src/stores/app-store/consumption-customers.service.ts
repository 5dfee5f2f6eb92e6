import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import { type AppleNotification, environmentOf, type LifetimeSpending } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ownerAmong } from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import { AppleService } from './apple.service.js';

@Injectable()
export class ConsumptionCustomersService {
  constructor(
    private readonly apple: AppleService,
    private readonly customers: CustomersService,
    private readonly transactions: TransactionsService,
    private readonly database: DatabaseService,
  ) {}

  /** The owner of the purchase in a notification; null if no customer owns it. */
  async ownerOf(app: App, { environment, purchaseKey }: AppleNotification): Promise<CustomerRow | null> {
    if (environment === null || purchaseKey === null) return null;
    const { store } = this.apple.appOf(app);
    const purchaseKeys = { store, environment: environmentOf(environment), keys: [purchaseKey] };
    const owners = await this.database.transaction((tx) =>
      this.customers.lock(tx, app.projectId, { appUserIds: [], purchaseKeys }),
    );
    return ownerAmong(owners, purchaseKeys, { key: purchaseKey }) ?? null;
  }

  /** Null if some amounts are unknown. */
  spendingOf(
    { projectId }: App,
    { id }: CustomerRow,
    environment: Environment,
  ): Promise<LifetimeSpending | null> {
    return this.transactions.spendingOf(projectId, id, environment);
  }
}
