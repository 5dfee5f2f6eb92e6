import { Module } from '@nestjs/common';
import { DestinationCallsService } from './sending/destination-calls.service.js';
import { DestinationSettingsService } from './settings/destination-settings.service.js';

/** Integrations that receive events in the form of analytics, attribution, messaging and chat tools. */
@Module({
  providers: [DestinationCallsService, DestinationSettingsService],
  exports: [DestinationCallsService, DestinationSettingsService],
})
export class DestinationsModule {}
