import { Module } from '@nestjs/common';
import { EventsModule } from './events/events.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** Events, and their delivery to the endpoints of a project. */
@Module({ imports: [EventsModule, WebhooksModule] })
export class WebhooksAreaModule {}
