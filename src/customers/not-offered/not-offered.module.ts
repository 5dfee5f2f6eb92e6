import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { DiscountsController } from './discounts.controller.js';
import { InvoicesController } from './invoices.controller.js';
import { PaywallsController } from './paywalls.controller.js';

/** Resources of the API that this server does not offer: their lists are empty, and what would create one is refused. */
@Module({
  imports: [CustomersModule],
  controllers: [DiscountsController, InvoicesController, PaywallsController],
})
export class NotOfferedModule {}
