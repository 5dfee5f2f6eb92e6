import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { WebhookHealthService } from '../../webhooks/webhooks/integrations/webhook-health.service.js';
import { SalesSetupService } from './sales-setup.service.js';
import type { SetupHealth } from './setup-health.presenter.js';
import { StoreSetupService } from './store-setup.service.js';

const MAX_SDK_VERSIONS = 100;

@Injectable()
export class SetupHealthService {
  constructor(
    private readonly stores: StoreSetupService,
    private readonly sales: SalesSetupService,
    private readonly webhooks: WebhookHealthService,
    private readonly customers: CustomersQueryService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async check(projectId: string): Promise<SetupHealth> {
    const [stores, sales, webhooks, sdkVersions] = await Promise.all([
      this.stores.of(projectId),
      this.sales.of(projectId),
      this.webhooks.of(projectId),
      this.customers.sdkVersions(projectId, MAX_SDK_VERSIONS),
    ]);
    return { projectId, checkedAtMs: this.clock.nowMs(), ...stores, ...sales, webhooks, sdkVersions };
  }
}
