import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AlertUnsubscribeController } from './alert-unsubscribe.controller.js';
import { AlertUnsubscribeService } from './alert-unsubscribe.service.js';
import { DelayedAlertsJob } from './delayed-alerts.job.js';
import { ProjectAlert } from './project-alert.entity.js';
import { ProjectAlertsRepository } from './project-alerts.repository.js';
import { ProjectAlertsService } from './project-alerts.service.js';

/** Mails to project members about problems that they must solve. */
@Module({
  imports: [AccountsModule, TypeOrmModule.forFeature([ProjectAlert])],
  controllers: [AlertUnsubscribeController],
  providers: [AlertUnsubscribeService, DelayedAlertsJob, ProjectAlertsRepository, ProjectAlertsService],
  exports: [ProjectAlertsService],
})
export class AlertsModule {}
