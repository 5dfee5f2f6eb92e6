import { Module } from '@nestjs/common';
import { BlobsModule } from '../../catalog/blobs/blobs.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { EnrollmentsModule } from '../enrollments/enrollments.module.js';
import { CustomerFactsRepository } from './customer-facts.repository.js';
import { CustomerFactsService } from './customer-facts.service.js';
import { KnownCustomers } from './known-customers.service.js';
import { OfferingPaywallsService } from './offering-paywalls.service.js';
import { OfferingTexts } from './offering-texts.service.js';
import { SdkOfferingsService } from './sdk-offerings.service.js';
import { SdkOfferingsV1Controller } from './sdk-offerings.v1.controller.js';

@Module({
  imports: [BlobsModule, CatalogModule, EnrollmentsModule],
  controllers: [SdkOfferingsV1Controller],
  providers: [
    CustomerFactsRepository,
    CustomerFactsService,
    KnownCustomers,
    OfferingPaywallsService,
    OfferingTexts,
    SdkOfferingsService,
  ],
  exports: [CustomerFactsService],
})
export class SdkOfferingsModule {}
