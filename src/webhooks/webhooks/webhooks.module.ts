import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { AttemptRecorder } from './attempt.recorder.js';
import { CircuitsRepository } from './circuits.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttemptsService } from './delivery-attempts.service.js';
import { DeliveryLogRepository } from './delivery-log.repository.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { DeliveryRequestsService } from './delivery-requests.service.js';
import { EndpointHealthRecorder } from './endpoint-health.recorder.js';
import { EndpointEventsRecorder } from './endpoint-events.recorder.js';
import { EndpointQueuesService } from './endpoint-queues.service.js';
import { DeliveryMetrics } from './delivery.metrics.js';
import { WebhookCircuit } from './webhook-circuit.entity.js';
import { WebhookCustomerInfoService } from './webhook-customer-info.service.js';
import { WebhookDeliveriesV2Controller } from './webhook-deliveries.v2.controller.js';
import { WebhookAttempt, WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookDestinationsService } from './webhook-destinations.service.js';
import { WebhookDispatcherService } from './webhook-dispatcher.service.js';
import { WebhookHealthRepository } from './webhook-health.repository.js';
import { WebhookHealthService } from './webhook-health.service.js';
import { WebhookIntegration } from './webhook-integration.entity.js';
import { WebhookIntegrationsRepository } from './webhook-integrations.repository.js';
import { WebhookIntegrationsService } from './webhook-integrations.service.js';
import { WebhookIntegrationsV2Controller } from './webhook-integrations.v2.controller.js';
import { WebhookReplay, WebhookReplayDelivery } from './webhook-replay.entity.js';
import { WebhookReplaysRetentionJob } from './webhook-replays-retention.job.js';
import { WebhookReplaysRepository } from './webhook-replays.repository.js';
import { WebhookReplaysService } from './webhook-replays.service.js';
import { WebhookReplaysV2Controller } from './webhook-replays.v2.controller.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookSenderService } from './webhook-sender.service.js';
import { WebhooksV2Controller } from './webhooks.v2.controller.js';

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
    AttemptRecorder,
    CircuitsRepository,
    DeliveriesRepository,
    DeliveryAttemptsService,
    DeliveryLogRepository,
    DeliveryLogService,
    DeliveryMetrics,
    DeliveryRequestsService,
    EndpointEventsRecorder,
    EndpointHealthRecorder,
    EndpointQueuesService,
    WebhookCustomerInfoService,
    WebhookDestinationsService,
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
