import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomerIdentity } from '../../platform/auth/customer-tokens/customer-identity.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { Customer } from './identity/customer.entity.js';
import { CustomerV1Controller } from './customer-info/customer.v1.controller.js';
import { CustomerAlias } from './identity/customer-alias.entity.js';
import { CustomerAttribute } from './identity/customer-attribute.entity.js';
import { CustomerDay } from './last-seen/customer-day.entity.js';
import { CustomerSnapshot } from './customer-info/customer-snapshot.entity.js';
import { StoreAccount } from './identity/store-account.entity.js';
import { CustomerInfoService } from './customer-info/customer-info.service.js';
import { CustomerListsRepository } from './identity/customer-lists.repository.js';
import { CustomerListsV2Controller } from './identity/customer-lists.v2.controller.js';
import { CustomerMergeRepository } from './identity/customer-merge.repository.js';
import { CustomersRepository } from './identity/customers.repository.js';
import { CustomersQueryService } from './identity/customers-query.service.js';
import { CustomersService } from './identity/customers.service.js';
import { CustomersV2Controller } from './identity/customers.v2.controller.js';
import { LastSeenRecorder } from './last-seen/last-seen.recorder.js';
import { LastSeenRepository } from './last-seen/last-seen.repository.js';
import { SnapshotsRepository } from './customer-info/snapshots.repository.js';
import { StoreAccountsRepository } from './identity/store-accounts.repository.js';
import { StoreAccountsService } from './identity/store-accounts.service.js';
import { SubscribersV1Controller } from './customer-info/subscribers.v1.controller.js';
import './identity/customer-rows.sql.js';

/** Global, because the access guard injects `CustomerIdentity`. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Customer,
      CustomerAlias,
      CustomerAttribute,
      CustomerDay,
      CustomerSnapshot,
      StoreAccount,
    ]),
    CatalogModule,
  ],
  controllers: [
    SubscribersV1Controller,
    CustomerV1Controller,
    CustomersV2Controller,
    CustomerListsV2Controller,
  ],
  providers: [
    CustomersService,
    { provide: CustomerIdentity, useExisting: CustomersService },
    CustomersQueryService,
    CustomerInfoService,
    CustomersRepository,
    CustomerListsRepository,
    CustomerMergeRepository,
    SnapshotsRepository,
    LastSeenRecorder,
    LastSeenRepository,
    StoreAccountsRepository,
    StoreAccountsService,
  ],
  exports: [
    CustomerIdentity,
    CustomersService,
    CustomersQueryService,
    CustomerInfoService,
    LastSeenRecorder,
    StoreAccountsService,
  ],
})
export class CustomersModule {}
