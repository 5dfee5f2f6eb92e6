import { type DynamicModule, Module } from '@nestjs/common';
import type { Clock } from '../libs/kernel/index.js';
import { PlatformAreaModule } from './platform/platform.module.js';
import type { Config } from './platform/config/config.js';
import type { LogService } from './platform/observability/log.service.js';
import { OpenEditionModule } from './platform/auth/editions/open-edition.module.js';
import { AgentsAreaModule } from './agents/agents.module.js';
import { CatalogAreaModule } from './catalog/catalog.module.js';
import { CustomersAreaModule } from './customers/customers.module.js';
import { DashboardAreaModule } from './dashboard/dashboard.module.js';
import { ImportsAreaModule } from './imports/imports.module.js';
import { ExportsAreaModule } from './exports/exports.module.js';
import { loadEnterprise } from './load-enterprise.js';
import { InsightsAreaModule } from './insights/insights.module.js';
import { PurchasesAreaModule } from './purchases/purchases.module.js';
import { RedemptionAreaModule } from './redemption/redemption.module.js';
import { SdkEventsModule } from './sdk/events/sdk-events.module.js';
import { ReceiptsModule } from './sdk/receipts/receipts.module.js';
import { RemoteConfigModule } from './sdk/remote-config/remote-config.module.js';
import { SdkAreaModule } from './sdk/sdk.module.js';
import { StoresAreaModule } from './stores/stores.module.js';
import { SupportAreaModule } from './support/support.module.js';
import { SdkOfferingsModule } from './targeting/offerings/sdk-offerings.module.js';
import { TargetingAreaModule } from './targeting/targeting.module.js';
import { TestStoreAreaModule } from './test-store/test-store.module.js';
import { WebhooksAreaModule } from './webhooks/webhooks.module.js';
import { WorkspaceAreaModule } from './workspace/workspace.module.js';

/** Modules that serve most requests. Express compares each request with all routes before its own. */
const frequentModules = [SdkOfferingsModule, RemoteConfigModule, SdkEventsModule, ReceiptsModule];

/** The whole server. The order of the areas is the order of their routes: SDK traffic first, pages last. */
@Module({})
export class AppModule {
  static async with(config: Config, clock: Clock, log: LogService): Promise<DynamicModule> {
    return {
      module: AppModule,
      imports: [
        PlatformAreaModule.with(config, clock, log),
        CustomersAreaModule,
        ...frequentModules,
        TargetingAreaModule,
        CatalogAreaModule,
        SdkAreaModule,
        RedemptionAreaModule,
        SupportAreaModule,
        WorkspaceAreaModule,
        WebhooksAreaModule,
        PurchasesAreaModule,
        TestStoreAreaModule,
        StoresAreaModule,
        InsightsAreaModule,
        ExportsAreaModule,
        ImportsAreaModule,
        AgentsAreaModule,
        config.isEnterprise ? await loadEnterprise() : OpenEditionModule,
        DashboardAreaModule,
      ],
    };
  }
}
