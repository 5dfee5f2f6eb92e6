import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { EnrollmentsModule } from '../enrollments/enrollments.module.js';
import { CustomerFactsRepository } from './customer-facts.repository.js';
import { CustomerFactsService } from './customer-facts.service.js';
import { KnownCustomers } from './known-customers.service.js';
import { OfferingTexts } from './offering-texts.service.js';
import { SdkOfferingsService } from './sdk-offerings.service.js';
import { SdkOfferingsV1Controller } from './sdk-offerings.v1.controller.js';

@Module({
  imports: [CatalogModule, EnrollmentsModule],
  controllers: [SdkOfferingsV1Controller],
  providers: [
    CustomerFactsRepository,
    CustomerFactsService,
    KnownCustomers,
    OfferingTexts,
    SdkOfferingsService,
  ],
  exports: [CustomerFactsService],
})
export class SdkOfferingsModule {}
