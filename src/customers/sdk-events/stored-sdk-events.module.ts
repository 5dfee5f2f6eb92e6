import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import './customer-rows.sql.js';
import { PaywallView } from './paywall-view.entity.js';
import { StoredSdkEvent } from './sdk-event.entity.js';
import { SdkEventWritesService } from './sdk-event-writes.service.js';
import { SdkEventsRepository } from './sdk-events.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoredSdkEvent, PaywallView])],
  providers: [SdkEventsRepository, SdkEventWritesService],
  exports: [SdkEventWritesService],
})
export class StoredSdkEventsModule {}
