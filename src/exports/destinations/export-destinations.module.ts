import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { DestinationStoresService } from './destination-stores.service.js';
import { ExportDestination } from './export-destination.entity.js';
import { ExportDestinationTestsService } from './export-destination-tests.service.js';
import { ExportDestinationTestsV2Controller } from './export-destination-tests.v2.controller.js';
import { ExportDestinationsRepository } from './export-destinations.repository.js';
import { ExportDestinationsService } from './export-destinations.service.js';
import { ExportDestinationsV2Controller } from './export-destinations.v2.controller.js';
import { ExportSecretsService } from './export-secrets.service.js';

/** Buckets, servers and folders that files of a project are delivered to. */
@Module({
  imports: [AlertsModule, RateLimitsModule, TypeOrmModule.forFeature([ExportDestination])],
  controllers: [ExportDestinationTestsV2Controller, ExportDestinationsV2Controller],
  providers: [
    DestinationStoresService,
    ExportDestinationTestsService,
    ExportDestinationsRepository,
    ExportDestinationsService,
    ExportSecretsService,
  ],
  exports: [DestinationStoresService, ExportDestinationsService],
})
export class ExportDestinationsModule {}
