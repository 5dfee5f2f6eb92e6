import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import type { Clock } from '../libs/kernel/index.js';
import { AccessExplanationModule } from './support/access-explanation/access-explanation.module.js';
import { AccountsModule } from './workspace/accounts/accounts.module.js';
import { AmazonModule } from './stores/amazon/amazon.module.js';
import { ApiKeysModule } from './workspace/api-keys/api-keys.module.js';
import { AppsModule } from './catalog/apps/apps.module.js';
import { AppStoreModule } from './stores/app-store/app-store.module.js';
import { DueWorkModule } from './purchases/due-work/due-work.module.js';
import { EntitlementsModule } from './catalog/entitlements/entitlements.module.js';
import { OfferingOverridesModule } from './customers/overrides/offering-overrides.module.js';
import { OfferingsModule } from './catalog/offerings/offerings.module.js';
import { PackagesModule } from './catalog/packages/packages.module.js';
import { ProductsModule } from './catalog/products/products.module.js';
import { AttributesModule } from './support/attributes/attributes.module.js';
import { AuditModule } from './platform/audit/audit.module.js';
import { AuthModule } from './platform/auth/auth.module.js';
import { BlockedCustomersModule } from './customers/blocked-customers/blocked-customers.module.js';
import { CatalogModule } from './catalog/snapshot/catalog.module.js';
import { ChartsModule } from './customers/not-offered/charts.module.js';
import { CollaboratorsModule } from './workspace/members/collaborators.module.js';
import type { Config } from './platform/config/config.js';
import { ConfigModule } from './platform/config/config.module.js';
import { BalancesModule } from './purchases/balances/balances.module.js';
import { CurrenciesModule } from './purchases/currencies/currencies.module.js';
import { CustomerExportModule } from './support/export/customer-export.module.js';
import { CustomerLifecycleModule } from './support/lifecycle/customer-lifecycle.module.js';
import { CustomersModule } from './customers/customers/customers.module.js';
import { CustomerSummariesModule } from './support/summaries/customer-summaries.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { DiscountsModule } from './customers/not-offered/discounts.module.js';
import { EventsModule } from './webhooks/events/events.module.js';
import { ExchangeRatesModule } from './platform/exchange-rates/exchange-rates.module.js';
import { GrantsModule } from './purchases/grants/grants.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { IdempotencyModule } from './platform/idempotency/idempotency.module.js';
import { IdentityModule } from './sdk/identity/identity.module.js';
import { InvoicesModule } from './customers/not-offered/invoices.module.js';
import { JobsModule } from './platform/jobs/jobs.module.js';
import { MetricsModule } from './insights/metrics/metrics.module.js';
import type { Log } from './platform/observability/log.js';
import { ObservabilityModule } from './platform/observability/observability.module.js';
import { OutboundModule } from './platform/outbound/outbound.module.js';
import { PartitionsModule } from './platform/partitions/partitions.module.js';
import { PaywallsModule } from './customers/not-offered/paywalls.module.js';
import { PlayStoreModule } from './stores/play-store/play-store.module.js';
import { ProjectsModule } from './workspace/projects/projects.module.js';
import { PurchasesModule } from './purchases/recording/purchases.module.js';
import { ReceiptsModule } from './sdk/receipts/receipts.module.js';
import { SdkSupportModule } from './sdk/support-calls/sdk-support.module.js';
import { SecretsModule } from './platform/secrets/secrets.module.js';
import { SelfCheckModule } from './purchases/self-check/self-check.module.js';
import { SetupHealthModule } from './insights/setup-health/setup-health.module.js';
import { StartupModule } from './test-store/demo/demo.module.js';
import { StoreActionsModule } from './stores/actions/store-actions.module.js';
import { RestoresModule } from './sdk/restores/restores.module.js';
import { TestPurchasesModule } from './test-store/test-purchases/test-purchases.module.js';
import { TestClocksModule } from './test-store/test-clocks/test-clocks.module.js';
import { TransfersModule } from './purchases/transfers/transfers.module.js';
import { StripeModule } from './stores/stripe/stripe.module.js';
import { SubscriptionsModule } from './purchases/subscriptions/subscriptions.module.js';
import { TransactionsModule } from './purchases/transactions/transactions.module.js';
import { StoreNotificationsModule } from './stores/notifications/store-notifications.module.js';
import { WebhooksModule } from './webhooks/webhooks/webhooks.module.js';

/** The whole server. The order of the feature modules is the order of their routes: SDK traffic first. */
@Module({})
export class AppModule {
  static with(config: Config, clock: Clock, log: Log): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config, clock),
        ObservabilityModule.with(log),
        DatabaseModule.connect(),
        ScheduleModule.forRoot({ intervals: config.runsJobs }),
        PartitionsModule,
        JobsModule,
        AuthModule,
        AuditModule,
        IdempotencyModule,
        HttpModule,
        SecretsModule,
        OutboundModule,
        ExchangeRatesModule,
        // features; the first three carry the SDK traffic
        CustomersModule,
        CatalogModule,
        ReceiptsModule,
        IdentityModule,
        BalancesModule,
        CurrenciesModule,
        AttributesModule,
        SdkSupportModule,
        AccountsModule,
        BlockedCustomersModule,
        ApiKeysModule,
        CustomerLifecycleModule,
        CustomerExportModule,
        AccessExplanationModule,
        EventsModule,
        ProjectsModule,
        PurchasesModule,
        RestoresModule,
        TestPurchasesModule,
        DueWorkModule,
        SelfCheckModule,
        TestClocksModule,
        TransfersModule,
        GrantsModule,
        OfferingOverridesModule,
        StoreActionsModule,
        SubscriptionsModule,
        AppsModule,
        StoreNotificationsModule,
        AppStoreModule,
        PlayStoreModule,
        StripeModule,
        AmazonModule,
        EntitlementsModule,
        OfferingsModule,
        PackagesModule,
        ProductsModule,
        MetricsModule,
        WebhooksModule,
        CollaboratorsModule,
        InvoicesModule,
        DiscountsModule,
        PaywallsModule,
        ChartsModule,
        TransactionsModule,
        CustomerSummariesModule,
        SetupHealthModule,
        StartupModule,
      ],
    };
  }
}
