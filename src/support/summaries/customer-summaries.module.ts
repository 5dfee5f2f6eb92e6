import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { CustomerNotesModule } from '../../customers/notes/customer-notes.module.js';
import { TransactionsModule } from '../../purchases/transactions/transactions.module.js';
import { CustomerSummariesController } from './customer-summaries.controller.js';
import { CustomerSummariesService } from './customer-summaries.service.js';

@Module({
  imports: [CatalogModule, CustomersModule, CustomerNotesModule, TransactionsModule],
  controllers: [CustomerSummariesController],
  providers: [CustomerSummariesService],
})
export class CustomerSummariesModule {}
