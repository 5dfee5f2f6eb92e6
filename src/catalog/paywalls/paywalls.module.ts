import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule } from '../blobs/blobs.module.js';
import { OfferingsModule } from '../offerings/offerings.module.js';
import { PackagesModule } from '../packages/packages.module.js';
import { OfferingPaywalls } from '../shared/offering-paywalls.js';
import { PaywallAddressesJob } from './paywall-addresses.job.js';
import { PaywallProblemsService } from './paywall-problems.service.js';
import { PaywallPublishingService } from './paywall-publishing.service.js';
import { PaywallSchemaController } from './paywall-schema.controller.js';
import { PaywallSettingsRow } from './paywall-settings.entity.js';
import { PaywallSettingsRepository } from './paywall-settings.repository.js';
import { PaywallTemplatesController } from './paywall-templates.controller.js';
import { PaywallVersion } from './paywall-version.entity.js';
import { Paywall } from './paywall.entity.js';
import { PaywallsController } from './paywalls.controller.js';
import { PaywallsRepository } from './paywalls.repository.js';
import { PaywallsService } from './paywalls.service.js';
import { PublishedContentService } from './published-content.service.js';
import { PublishedPaywalls } from './published-paywalls.service.js';

/** Global, so that the offerings, which paywalls need, can ask for their paywalls. */
@Global()
@Module({
  imports: [
    BlobsModule,
    OfferingsModule,
    PackagesModule,
    TypeOrmModule.forFeature([Paywall, PaywallVersion, PaywallSettingsRow]),
  ],
  controllers: [PaywallsController, PaywallTemplatesController, PaywallSchemaController],
  providers: [
    PaywallAddressesJob,
    PaywallProblemsService,
    PaywallPublishingService,
    PaywallSettingsRepository,
    PaywallsRepository,
    PaywallsService,
    PublishedContentService,
    { provide: OfferingPaywalls, useClass: PublishedPaywalls },
  ],
  exports: [OfferingPaywalls],
})
export class PaywallsModule {}
