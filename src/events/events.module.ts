import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { EventsRepository } from './events.repository.js';
import { EventsV2Controller } from './events.v2.controller.js';

/** The event log. */
@Module({
  imports: [CustomersModule],
  controllers: [EventsV2Controller],
  providers: [EventsRepository],
})
export class EventsModule {}
