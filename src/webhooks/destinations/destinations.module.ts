import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EventsModule } from '../events/events.module.js';
import { DestinationCallsService } from './sending/destination-calls.service.js';
import { DestinationSenderService } from './sending/destination-sender.service.js';
import { FrozenCustomersService } from './sending/frozen-customers.service.js';
import { DestinationSettingsService } from './settings/destination-settings.service.js';

/** Integrations that receive events in the form of analytics, attribution, messaging and chat tools. */
@Module({
  imports: [CatalogModule, CustomersModule, DeliveriesModule, EventsModule],
  providers: [
    DestinationCallsService,
    DestinationSenderService,
    DestinationSettingsService,
    FrozenCustomersService,
  ],
  exports: [DestinationCallsService, DestinationSettingsService, FrozenCustomersService],
})
export class DestinationsModule {}
