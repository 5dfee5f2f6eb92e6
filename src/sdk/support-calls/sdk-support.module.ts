import { Module } from '@nestjs/common';
import { AmazonModule } from '../../stores/amazon/amazon.module.js';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { CustomerCenterV1Controller } from './customer-center.v1.controller.js';
import { CustomerSupportV1Controller } from './customer-support.v1.controller.js';
import { HealthV1Controller } from './health.v1.controller.js';
import { OffersService } from './offers.service.js';
import { OffersV1Controller } from './offers.v1.controller.js';
import { PurchaseSupportV1Controller } from './purchase-support.v1.controller.js';
import { SigningKeyController } from './signing-key.controller.js';
import { UsageV1Controller } from './usage.v1.controller.js';
import { WebBillingV1Controller } from './web-billing.v1.controller.js';

@Module({
  imports: [AmazonModule, AppsModule, CatalogModule, CustomersModule],
  controllers: [
    UsageV1Controller,
    HealthV1Controller,
    OffersV1Controller,
    CustomerCenterV1Controller,
    PurchaseSupportV1Controller,
    WebBillingV1Controller,
    CustomerSupportV1Controller,
    SigningKeyController,
  ],
  providers: [OffersService],
})
export class SdkSupportModule {}
