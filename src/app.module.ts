import { type DynamicModule, Module } from '@nestjs/common';
import type { Clock } from '../libs/kernel/index.js';
import { PlatformWingModule } from './platform/platform-wing.module.js';
import type { Config } from './platform/config/config.js';
import type { LogService } from './platform/observability/log.service.js';
import { OpenEditionModule } from './platform/auth/open-edition.module.js';
import { AgentsWingModule } from './agents/agents-wing.module.js';
import { CatalogWingModule } from './catalog/catalog-wing.module.js';
import { CustomersWingModule } from './customers/customers-wing.module.js';
import { DashboardWingModule } from './dashboard/dashboard-wing.module.js';
import { ImportsWingModule } from './imports/imports-wing.module.js';
import { loadEnterprise } from './load-enterprise.js';
import { InsightsWingModule } from './insights/insights-wing.module.js';
import { PurchasesWingModule } from './purchases/purchases-wing.module.js';
import { RedemptionWingModule } from './redemption/redemption-wing.module.js';
import { SdkWingModule } from './sdk/sdk-wing.module.js';
import { StoresWingModule } from './stores/stores-wing.module.js';
import { SupportWingModule } from './support/support-wing.module.js';
import { TargetingWingModule } from './targeting/targeting-wing.module.js';
import { TestStoreWingModule } from './test-store/test-store-wing.module.js';
import { WebhooksWingModule } from './webhooks/webhooks-wing.module.js';
import { WorkspaceWingModule } from './workspace/workspace-wing.module.js';

/** The whole server. The order of the wings is the order of their routes: SDK traffic first, pages last. */
@Module({})
export class AppModule {
  static async with(config: Config, clock: Clock, log: LogService): Promise<DynamicModule> {
    return {
      module: AppModule,
      imports: [
        PlatformWingModule.with(config, clock, log),
        CustomersWingModule,
        TargetingWingModule,
        CatalogWingModule,
        SdkWingModule,
        RedemptionWingModule,
        SupportWingModule,
        WorkspaceWingModule,
        WebhooksWingModule,
        PurchasesWingModule,
        TestStoreWingModule,
        StoresWingModule,
        InsightsWingModule,
        ImportsWingModule,
        AgentsWingModule,
        config.isEnterprise ? await loadEnterprise() : OpenEditionModule,
        DashboardWingModule,
      ],
    };
  }
}
