import { Module } from '@nestjs/common';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DestinationsModule } from './destinations/destinations.module.js';
import { EventsModule } from './events/events.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** Events, and their delivery to a project's endpoints. */
@Module({ imports: [EventsModule, DeliveriesModule, DestinationsModule, WebhooksModule] })
export class WebhooksAreaModule {}
