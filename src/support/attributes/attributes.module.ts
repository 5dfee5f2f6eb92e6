import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { AttributeChangesService } from './attribute-changes.service.js';
import { AttributePostsService } from './attribute-posts.service.js';
import { AttributesRepository } from './attributes.repository.js';
import { AttributesService } from './attributes.service.js';
import { CustomerAttributesService } from './customer-attributes.service.js';
import { CustomerAttributesV1Controller } from './customer-attributes.v1.controller.js';
import { AttributesReadV1Controller } from './attributes-read.v1.controller.js';
import { AttributesV1Controller } from './attributes.v1.controller.js';
import { AttributesV2Controller } from './attributes.v2.controller.js';

@Module({
  imports: [CatalogModule, CustomersModule, PurchasesModule],
  controllers: [
    AttributesReadV1Controller,
    AttributesV1Controller,
    CustomerAttributesV1Controller,
    AttributesV2Controller,
  ],
  providers: [
    AttributeChangesService,
    AttributePostsService,
    AttributesRepository,
    AttributesService,
    CustomerAttributesService,
  ],
  exports: [AttributeChangesService, AttributesService],
})
export class AttributesModule {}
