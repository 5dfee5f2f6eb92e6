import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { CircuitsRepository } from './circuits.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryLogRepository } from './delivery-log.repository.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { WebhookCustomerInfo } from './webhook-customer-info.js';
import { WebhookDeliveriesV2Controller } from './webhook-deliveries.v2.controller.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { WebhookHealthRepository } from './webhook-health.repository.js';
import { WebhookHealthService } from './webhook-health.service.js';
import { WebhookIntegration } from './webhook-integration.entity.js';
import { WebhookIntegrationsRepository } from './webhook-integrations.repository.js';
import { WebhookIntegrationsService } from './webhook-integrations.service.js';
import { WebhookIntegrationsV2Controller } from './webhook-integrations.v2.controller.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksV2Controller } from './webhooks.v2.controller.js';

/** Where events go, and the dispatcher that brings them there. */
@Module({
  imports: [AppsModule, CustomersModule, TypeOrmModule.forFeature([WebhookIntegration])],
  controllers: [WebhookIntegrationsV2Controller, WebhooksV2Controller, WebhookDeliveriesV2Controller],
  providers: [
    AttemptRecorder,
    CircuitsRepository,
    DeliveriesRepository,
    DeliveryLogRepository,
    DeliveryLogService,
    DeliveryMetrics,
    WebhookCustomerInfo,
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
