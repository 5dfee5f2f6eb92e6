import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { InvoicesController } from './invoices.controller.js';

@Module({ imports: [CustomersModule], controllers: [InvoicesController] })
export class InvoicesModule {}
