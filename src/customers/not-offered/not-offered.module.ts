import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { InvoicesController } from './invoices.controller.js';
import { RefusedOperationsController } from './refused-operations.controller.js';

/** API resources that this server does not offer. Their lists are empty, and creating them is rejected. */
@Module({
  imports: [CustomersModule],
  controllers: [RefusedOperationsController, InvoicesController],
})
export class NotOfferedModule {}
