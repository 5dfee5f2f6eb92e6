import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EventsModule } from '../events/events.module.js';
import { DestinationDeliveriesV2Controller } from './deliveries/destination-deliveries.v2.controller.js';
import { DestinationLogService } from './deliveries/destination-log.service.js';
import { EventDeliveriesV2Controller } from './deliveries/event-deliveries.v2.controller.js';
import { DestinationRequestsService } from './deliveries/destination-requests.service.js';
import { DestinationOverviewV2Controller } from './integrations/destination-overview.v2.controller.js';
import { DestinationStatesService } from './integrations/destination-states.service.js';
import { DestinationsService } from './integrations/destinations.service.js';
import { DestinationsV2Controller } from './integrations/destinations.v2.controller.js';
import { DestinationReplaysService } from './replays/destination-replays.service.js';
import { DestinationReplaysV2Controller } from './replays/destination-replays.v2.controller.js';
import { DestinationCallsService } from './sending/destination-calls.service.js';
import { DestinationSenderService } from './sending/destination-sender.service.js';
import { FrozenCustomersService } from './sending/frozen-customers.service.js';
import { DestinationSettingsService } from './settings/destination-settings.service.js';
import { DestinationPreviewsService } from './testing/destination-previews.service.js';
import { DestinationTestsService } from './testing/destination-tests.service.js';
import { DestinationTestsV2Controller } from './testing/destination-tests.v2.controller.js';

/** Integrations that receive events in the form of analytics, attribution, messaging and chat tools. */
@Module({
  imports: [
    AppsModule,
    CatalogModule,
    CustomersModule,
    DeliveriesModule,
    EventsModule,
    ProjectsModule,
    RateLimitsModule,
  ],
  controllers: [
    DestinationsV2Controller,
    DestinationOverviewV2Controller,
    DestinationDeliveriesV2Controller,
    EventDeliveriesV2Controller,
    DestinationReplaysV2Controller,
    DestinationTestsV2Controller,
  ],
  providers: [
    DestinationCallsService,
    DestinationLogService,
    DestinationPreviewsService,
    DestinationReplaysService,
    DestinationRequestsService,
    DestinationSenderService,
    DestinationSettingsService,
    DestinationStatesService,
    DestinationTestsService,
    DestinationsService,
    FrozenCustomersService,
  ],
  exports: [DestinationCallsService, DestinationSettingsService, FrozenCustomersService],
})
export class DestinationsModule {}
