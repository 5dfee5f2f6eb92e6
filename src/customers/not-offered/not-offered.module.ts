import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { InvoicesController } from './invoices.controller.js';
import { RefusedOperationsController } from './refused-operations.controller.js';

/** Resources of the API that this server does not offer: their lists are empty, and what would create one is refused. */
@Module({
  imports: [CustomersModule],
  controllers: [RefusedOperationsController, InvoicesController],
})
export class NotOfferedModule {}
