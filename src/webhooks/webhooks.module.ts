import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../apps/apps.module.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { WebhookHealthRepository } from './webhook-health.repository.js';
import { WebhookHealthService } from './webhook-health.service.js';
import { WebhookIntegration } from './webhook-integration.entity.js';
import { WebhookIntegrationsRepository } from './webhook-integrations.repository.js';
import { WebhookIntegrationsService } from './webhook-integrations.service.js';
import { WebhookIntegrationsV2Controller } from './webhook-integrations.v2.controller.js';
import { WebhookSender } from './webhook-sender.js';

/** Where events go, and the dispatcher that brings them there. */
@Module({
  imports: [AppsModule, TypeOrmModule.forFeature([WebhookIntegration])],
  controllers: [WebhookIntegrationsV2Controller],
  providers: [
    DeliveriesRepository,
    DeliveryMetrics,
    WebhookDispatcher,
    WebhookHealthRepository,
    WebhookHealthService,
    WebhookIntegrationsRepository,
    WebhookIntegrationsService,
    WebhookSender,
  ],
  exports: [WebhookDispatcher, WebhookHealthService],
})
export class WebhooksModule {}
