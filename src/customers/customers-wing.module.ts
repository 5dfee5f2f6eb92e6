import { Module } from '@nestjs/common';
import { BlockedCustomersModule } from './blocked-customers/blocked-customers.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { ChartsModule } from './not-offered/charts.module.js';
import { DiscountsModule } from './not-offered/discounts.module.js';
import { InvoicesModule } from './not-offered/invoices.module.js';
import { PaywallsModule } from './not-offered/paywalls.module.js';
import { OfferingOverridesModule } from './overrides/offering-overrides.module.js';

/** Customers: who they are, which of their ids belong together, and the one answer that SDKs read most. */
@Module({
  imports: [
    CustomersModule,
    BlockedCustomersModule,
    OfferingOverridesModule,
    InvoicesModule,
    DiscountsModule,
    PaywallsModule,
    ChartsModule,
  ],
})
export class CustomersWingModule {}
