import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule } from '../blobs/blobs.module.js';
import { MediaAssetsModule } from '../media-assets/media-assets.module.js';
import { OfferingsModule } from '../offerings/offerings.module.js';
import { PackagesModule } from '../packages/packages.module.js';
import { MediaAssetUses } from '../shared/media-asset-uses.js';
import { OfferingPaywalls } from '../shared/offering-paywalls.js';
import { PaywallAddressesJob } from './paywall-addresses.job.js';
import { PaywallMediaUsesService } from './paywall-media-uses.service.js';
import { PaywallProblemsService } from './paywall-problems.service.js';
import { PaywallPublishingService } from './paywall-publishing.service.js';
import { PaywallSchemaController } from './paywall-schema.controller.js';
import { PaywallSettingsController } from './paywall-settings.controller.js';
import { PaywallSettingsRow } from './paywall-settings.entity.js';
import { PaywallSettingsRepository } from './paywall-settings.repository.js';
import { PaywallSettingsService } from './paywall-settings.service.js';
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
    MediaAssetsModule,
    OfferingsModule,
    PackagesModule,
    TypeOrmModule.forFeature([Paywall, PaywallVersion, PaywallSettingsRow]),
  ],
  controllers: [
    PaywallsController,
    PaywallTemplatesController,
    PaywallSettingsController,
    PaywallSchemaController,
  ],
  providers: [
    PaywallAddressesJob,
    PaywallProblemsService,
    PaywallPublishingService,
    PaywallSettingsRepository,
    PaywallSettingsService,
    PaywallsRepository,
    PaywallsService,
    PublishedContentService,
    { provide: OfferingPaywalls, useClass: PublishedPaywalls },
    { provide: MediaAssetUses, useClass: PaywallMediaUsesService },
  ],
  exports: [MediaAssetUses, OfferingPaywalls, PaywallsService],
})
export class PaywallsModule {}
