import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import type { Clock } from '../libs/kernel/index.js';
import { AccessExplanationModule } from './access-explanation/access-explanation.module.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { AmazonModule } from './amazon/amazon.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AppsModule } from './apps/apps.module.js';
import { AppStoreModule } from './app-store/app-store.module.js';
import { DueWorkModule } from './due-work/due-work.module.js';
import { EntitlementsModule } from './entitlements/entitlements.module.js';
import { OfferingOverridesModule } from './offering-overrides/offering-overrides.module.js';
import { OfferingsModule } from './offerings/offerings.module.js';
import { PackagesModule } from './packages/packages.module.js';
import { ProductsModule } from './products/products.module.js';
import { AttributesModule } from './attributes/attributes.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BlockedCustomersModule } from './blocked-customers/blocked-customers.module.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { ChartsModule } from './charts/charts.module.js';
import { CollaboratorsModule } from './collaborators/collaborators.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { BalancesModule } from './currencies/balances.module.js';
import { CurrenciesModule } from './currencies/currencies.module.js';
import { CustomerExportModule } from './customer-export/customer-export.module.js';
import { CustomerLifecycleModule } from './customer-lifecycle/customer-lifecycle.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { CustomerSummariesModule } from './customer-summaries/customer-summaries.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DiscountsModule } from './discounts/discounts.module.js';
import { EventsModule } from './events/events.module.js';
import { ExchangeRatesModule } from './exchange-rates/exchange-rates.module.js';
import { GrantsModule } from './grants/grants.module.js';
import { HttpModule } from './http/http.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { InvoicesModule } from './invoices/invoices.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import type { Log } from './observability/log.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { OutboundModule } from './outbound/outbound.module.js';
import { PartitionsModule } from './partitions/partitions.module.js';
import { PaywallsModule } from './paywalls/paywalls.module.js';
import { PlayStoreModule } from './play-store/play-store.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { PurchasesModule } from './purchases/purchases.module.js';
import { ReceiptsModule } from './receipts/receipts.module.js';
import { SdkSupportModule } from './sdk-support/sdk-support.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SelfCheckModule } from './self-check/self-check.module.js';
import { SetupHealthModule } from './setup-health/setup-health.module.js';
import { StartupModule } from './startup/startup.module.js';
import { StoreActionsModule } from './store-actions/store-actions.module.js';
import { RestoresModule } from './restores/restores.module.js';
import { TestPurchasesModule } from './test-purchases/test-purchases.module.js';
import { TestClocksModule } from './test-clocks/test-clocks.module.js';
import { TransfersModule } from './transfers/transfers.module.js';
import { StripeModule } from './stripe/stripe.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { TransactionsModule } from './transactions/transactions.module.js';
import { StoreNotificationsModule } from './store-notifications/store-notifications.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

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
