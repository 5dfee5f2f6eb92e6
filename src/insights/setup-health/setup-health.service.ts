import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import { DeliveryHealthService } from '../../webhooks/deliveries/integrations/delivery-health.service.js';
import { UnknownValuesService } from '../../purchases/unknown-values/unknown-values.service.js';
import { UnknownProductsService } from '../metrics/unknown-products.service.js';
import type { SetupHealth } from './setup-health.presenter.js';
import { StoreSetupService } from './store-setup.service.js';

const MAX_SDK_VERSIONS = 100;

@Injectable()
export class SetupHealthService {
  constructor(
    private readonly stores: StoreSetupService,
    private readonly transactions: TransactionsService,
    private readonly products: UnknownProductsService,
    private readonly lookups: PurchaseLookupsService,
    private readonly webhooks: DeliveryHealthService,
    private readonly customers: CustomersQueryService,
    private readonly unknownValues: UnknownValuesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async check(projectId: string): Promise<SetupHealth> {
    const checkedAtMs = this.clock.nowMs();
    const [stores, unconverted, unknownProducts, endlessRentals, webhooks, sdkVersions, unknownValues] =
      await Promise.all([
        this.stores.forProject(projectId, checkedAtMs),
        this.transactions.unconverted(projectId),
        this.products.forProject(projectId),
        this.lookups.endlessRentals(projectId),
        this.webhooks.forProject(projectId),
        this.customers.sdkVersions(projectId, MAX_SDK_VERSIONS),
        this.unknownValues.forProject(projectId),
      ]);
    const sales = { unconverted, unknownProducts, endlessRentals };
    return { projectId, checkedAtMs, ...stores, ...sales, webhooks, sdkVersions, unknownValues };
  }
}
