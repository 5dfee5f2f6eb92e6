import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesModule } from '../../webhooks/deliveries/deliveries.module.js';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { MembersModule } from '../../workspace/members/members.module.js';
import { ChartsModule } from '../charts/charts.module.js';
import { Digest } from './digest.entity.js';
import { DigestFiguresService } from './digest-figures.service.js';
import { DigestMailsService } from './digest-mails.service.js';
import { DigestSendingService } from './digest-sending.service.js';
import { DigestUnsubscribeController } from './digest-unsubscribe.controller.js';
import { DigestUnsubscribeService } from './digest-unsubscribe.service.js';
import { DigestMetrics } from './digest.metrics.js';
import { DigestsController } from './digests.controller.js';
import { DigestsJob } from './digests.job.js';
import { DigestsRepository } from './digests.repository.js';
import { DigestsService } from './digests.service.js';

/** Figures that are sent to channels and members, every day or every week. */
@Module({
  imports: [AlertsModule, ChartsModule, DeliveriesModule, MembersModule, TypeOrmModule.forFeature([Digest])],
  controllers: [DigestUnsubscribeController, DigestsController],
  providers: [
    DigestFiguresService,
    DigestMailsService,
    DigestMetrics,
    DigestSendingService,
    DigestUnsubscribeService,
    DigestsJob,
    DigestsRepository,
    DigestsService,
  ],
})
export class DigestsModule {}
