import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { CustomerListController } from './customer-list.controller.js';
import { CustomerListCsvController } from './customer-list-csv.controller.js';
import { CustomerListDownloadService } from './customer-list-download.service.js';
import { CustomerListJob } from './customer-list.job.js';
import { CustomerListService } from './customer-list.service.js';
import { CustomerListExportEntity, CustomerListExportPiece } from './exports/customer-list-export.entity.js';
import { CustomerListExportsController } from './exports/customer-list-exports.controller.js';
import { CustomerListExportsJob } from './exports/customer-list-exports.job.js';
import { CustomerListExportsRepository } from './exports/customer-list-exports.repository.js';
import { CustomerListExportsService } from './exports/customer-list-exports.service.js';
import { ListedCustomerChange, ListedCustomerFill, ListedCustomerRow } from './listed-customer.entity.js';
import { ListedCustomersRepository } from './listed-customers.repository.js';
import { ListedCustomersService } from './listed-customers.service.js';
import { CustomerListEntity } from './saved/customer-list.entity.js';
import { SavedCustomerListsController } from './saved/saved-customer-lists.controller.js';
import { SavedCustomerListsRepository } from './saved/saved-customer-lists.repository.js';
import { SavedCustomerListsService } from './saved/saved-customer-lists.service.js';
import './customer-rows.sql.js';

@Module({
  imports: [
    CatalogModule,
    CustomersModule,
    TypeOrmModule.forFeature([
      CustomerListEntity,
      CustomerListExportEntity,
      CustomerListExportPiece,
      ListedCustomerRow,
      ListedCustomerChange,
      ListedCustomerFill,
    ]),
  ],
  controllers: [
    CustomerListCsvController,
    CustomerListController,
    CustomerListExportsController,
    SavedCustomerListsController,
  ],
  providers: [
    CustomerListService,
    CustomerListDownloadService,
    CustomerListExportsJob,
    CustomerListExportsRepository,
    CustomerListExportsService,
    CustomerListJob,
    ListedCustomersRepository,
    ListedCustomersService,
    SavedCustomerListsRepository,
    SavedCustomerListsService,
  ],
  exports: [CustomerListExportsService, CustomerListService],
})
export class CustomerListModule {}
