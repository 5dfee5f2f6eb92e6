import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { EventLogRepository } from './event-log.repository.js';
import { EventLogV2Controller } from './event-log.v2.controller.js';
import { EventKey, EventKind, RecordedEvent } from './event.entity.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';
import { EventsV2Controller } from './events.v2.controller.js';
import './customer-rows.sql.js';

@Module({
  imports: [CustomersModule, TypeOrmModule.forFeature([EventKey, EventKind, RecordedEvent])],
  controllers: [EventsV2Controller, EventLogV2Controller],
  providers: [EventsService, EventsRepository, EventLogRepository],
  exports: [EventsService],
})
export class EventsModule {}
