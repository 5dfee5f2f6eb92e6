import { Module } from '@nestjs/common';
import { CatalogRepository } from './catalog.repository.js';
import { CatalogService } from './catalog.service.js';
import { CatalogV1Controller } from './catalog.v1.controller.js';
import { CustomerCatalogV1Controller } from './customer-catalog.v1.controller.js';
import { SdkCatalogService } from './sdk-catalog.service.js';

/** The catalog as read by purchases and SDK responses. The REST v2 modules write it. */
@Module({
  controllers: [CatalogV1Controller, CustomerCatalogV1Controller],
  providers: [CatalogRepository, CatalogService, SdkCatalogService],
  exports: [CatalogService, SdkCatalogService],
})
export class CatalogModule {}
