import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreTasksModule } from '../../purchases/store-tasks/store-tasks.module.js';
import { StoresModule } from '../../stores/shared/stores.module.js';
import { ImportResolver } from '../customers/import-resolver.js';
import { AskedAppsService } from './asked-apps.service.js';
import { BackgroundQuestionsService } from './background-questions.service.js';
import { ImportKeyMiss } from './import-key-miss.entity.js';
import { ImportPurchaseJob } from './import-purchase.job.js';
import { ImportResolveJob } from './import-resolve.job.js';
import { ImportResolveTriggersService } from './import-resolve-triggers.service.js';
import { KeyFinderService } from './key-finder.service.js';
import { StoreAnswersService } from './store-answers.service.js';
import { StoreImportResolver } from './store-import-resolver.service.js';
import { UnkeyedSubscriptionsRepository } from './unkeyed-subscriptions.repository.js';
import { UnknownOrder } from './unknown-order.entity.js';
import { UnknownOrdersRepository } from './unknown-orders.repository.js';

/** Global, because the import of customers injects `ImportResolver`. */
@Global()
@Module({
  imports: [
    AppsModule,
    CustomersModule,
    PurchasesModule,
    StoresModule,
    StoreTasksModule,
    TypeOrmModule.forFeature([ImportKeyMiss, UnknownOrder]),
  ],
  providers: [
    UnkeyedSubscriptionsRepository,
    UnknownOrdersRepository,
    AskedAppsService,
    StoreAnswersService,
    BackgroundQuestionsService,
    KeyFinderService,
    ImportResolveJob,
    ImportPurchaseJob,
    ImportResolveTriggersService,
    { provide: ImportResolver, useClass: StoreImportResolver },
  ],
  exports: [ImportResolver],
})
export class ImportResolveModule {}
