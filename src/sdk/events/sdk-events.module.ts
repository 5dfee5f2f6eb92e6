import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { StoredSdkEventsModule } from '../../customers/sdk-events/stored-sdk-events.module.js';
import { SdkEventsMetrics } from './sdk-events.metrics.js';
import { SdkEventsService } from './sdk-events.service.js';
import { SdkEventsV1Controller } from './sdk-events.v1.controller.js';

@Module({
  imports: [CatalogModule, StoredSdkEventsModule],
  controllers: [SdkEventsV1Controller],
  providers: [SdkEventsMetrics, SdkEventsService],
})
export class SdkEventsModule {}
