import { Global, Module } from '@nestjs/common';
import { OfferingsModule } from '../../catalog/offerings/offerings.module.js';
import { OfferingUses } from '../../catalog/shared/offering-uses.js';
import { NamedOfferingUses } from './named-offering-uses.repository.js';
import { NamedOfferings } from './named-offerings.service.js';

/** Global, so that the catalog, a lower area, can inject what this area implements. */
@Global()
@Module({
  imports: [OfferingsModule],
  providers: [NamedOfferings, { provide: OfferingUses, useClass: NamedOfferingUses }],
  exports: [NamedOfferings, OfferingUses],
})
export class TargetingSharedModule {}
