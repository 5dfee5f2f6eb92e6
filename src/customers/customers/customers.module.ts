import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomerIdentity } from '../../platform/auth/customer-identity.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { Customer } from './customer.entity.js';
import { CustomerV1Controller } from './customer.v1.controller.js';
import { CustomerAlias } from './customer-alias.entity.js';
import { CustomerAttribute } from './customer-attribute.entity.js';
import { CustomerDay } from './customer-day.entity.js';
import { CustomerSnapshot } from './customer-snapshot.entity.js';
import { StoreAccount } from './store-account.entity.js';
import { CustomerInfoService } from './customer-info.service.js';
import { CustomerListsRepository } from './customer-lists.repository.js';
import { CustomerListsV2Controller } from './customer-lists.v2.controller.js';
import { CustomerMergeRepository } from './customer-merge.repository.js';
import { CustomersRepository } from './customers.repository.js';
import { CustomersQueryService } from './customers-query.service.js';
import { CustomersService } from './customers.service.js';
import { CustomersV2Controller } from './customers.v2.controller.js';
import { LastSeenRecorder } from './last-seen.recorder.js';
import { SdkVersionsRepository } from './sdk-versions.repository.js';
import { SnapshotsRepository } from './snapshots.repository.js';
import { StoreAccountsService } from './store-accounts.service.js';
import { SubscribersV1Controller } from './subscribers.v1.controller.js';

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
    SdkVersionsRepository,
    SnapshotsRepository,
    LastSeenRecorder,
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
