import { Module } from '@nestjs/common';
import { BlockedCustomersModule } from './blocked-customers/blocked-customers.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { NotOfferedModule } from './not-offered/not-offered.module.js';
import { OfferingOverridesModule } from './overrides/offering-overrides.module.js';

/** Customers: who they are, which of their ids belong together, and the one answer that SDKs read most. */
@Module({
  // `customers/blocked_customers` must be routed before `customers/:customer_id`.
  imports: [NotOfferedModule, CustomersModule, BlockedCustomersModule, OfferingOverridesModule],
})
export class CustomersAreaModule {}
