import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { CircuitsRepository } from './circuits/circuits.repository.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveryAttemptsService } from './deliveries/delivery-attempts.service.js';
import { DeliveryLogRepository } from './deliveries/delivery-log.repository.js';
import { DeliveryLogService } from './deliveries/delivery-log.service.js';
import { DeliveryRequestsService } from './deliveries/delivery-requests.service.js';
import { EndpointHealthRecorder } from './circuits/endpoint-health.recorder.js';
import { EndpointQueuesService } from './circuits/endpoint-queues.service.js';
import { DeliveryMetrics } from './deliveries/delivery.metrics.js';
import { WebhookCircuit } from './circuits/webhook-circuit.entity.js';
import { WebhookDeliveriesV2Controller } from './deliveries/webhook-deliveries.v2.controller.js';
import { WebhookAttempt, WebhookDelivery } from './deliveries/webhook-delivery.entity.js';
import { WebhookDispatcherService } from './deliveries/webhook-dispatcher.service.js';
import { WebhookHealthRepository } from './integrations/webhook-health.repository.js';
import { WebhookHealthService } from './integrations/webhook-health.service.js';
import { WebhookIntegration } from './integrations/webhook-integration.entity.js';
import { WebhookIntegrationsRepository } from './integrations/webhook-integrations.repository.js';
import { WebhookIntegrationsService } from './integrations/webhook-integrations.service.js';
import { WebhookIntegrationsV2Controller } from './integrations/webhook-integrations.v2.controller.js';
import { WebhookReplay, WebhookReplayDelivery } from './replays/webhook-replay.entity.js';
import { WebhookReplaysRetentionJob } from './replays/webhook-replays-retention.job.js';
import { WebhookReplaysRepository } from './replays/webhook-replays.repository.js';
import { WebhookReplaysService } from './replays/webhook-replays.service.js';
import { WebhookReplaysV2Controller } from './replays/webhook-replays.v2.controller.js';
import { WebhookSecretsService } from './integrations/webhook-secrets.service.js';
import { WebhookSenderService } from './deliveries/webhook-sender.service.js';
import { WebhooksV2Controller } from './integrations/webhooks.v2.controller.js';
import './deliveries/customer-rows.sql.js';

@Module({
  imports: [
    AlertsModule,
    AppsModule,
    CustomersModule,
    TypeOrmModule.forFeature([
      WebhookAttempt,
      WebhookDelivery,
      WebhookCircuit,
      WebhookIntegration,
      WebhookReplay,
      WebhookReplayDelivery,
    ]),
  ],
  controllers: [
    WebhookIntegrationsV2Controller,
    WebhooksV2Controller,
    WebhookDeliveriesV2Controller,
    WebhookReplaysV2Controller,
  ],
  providers: [
    CircuitsRepository,
    DeliveriesRepository,
    DeliveryAttemptsService,
    DeliveryLogRepository,
    DeliveryLogService,
    DeliveryMetrics,
    DeliveryRequestsService,
    EndpointHealthRecorder,
    EndpointQueuesService,
    WebhookDispatcherService,
    WebhookHealthRepository,
    WebhookHealthService,
    WebhookIntegrationsRepository,
    WebhookIntegrationsService,
    WebhookReplaysRepository,
    WebhookReplaysRetentionJob,
    WebhookReplaysService,
    WebhookSecretsService,
    WebhookSenderService,
  ],
  exports: [WebhookDispatcherService, WebhookHealthService],
})
export class WebhooksModule {}
