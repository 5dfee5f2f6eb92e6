import { Module } from '@nestjs/common';
import { BlockedCustomersModule } from './blocked-customers/blocked-customers.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { NotOfferedModule } from './not-offered/not-offered.module.js';
import { CustomerNotesModule } from './notes/customer-notes.module.js';
import { OfferingOverridesModule } from './overrides/offering-overrides.module.js';

/** Customers: their identity, the ids that belong together, and the answer that SDKs read most often. */
@Module({
  // `customers/blocked_customers` must be routed before `customers/:customer_id`.
  imports: [
    BlockedCustomersModule,
    NotOfferedModule,
    CustomersModule,
    CustomerNotesModule,
    OfferingOverridesModule,
  ],
})
export class CustomersAreaModule {}
