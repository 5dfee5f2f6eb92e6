import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { CircuitsRepository } from './circuits/circuits.repository.js';
import { EndpointCircuit } from './circuits/endpoint-circuit.entity.js';
import { EndpointEventsRecorder } from './circuits/endpoint-events.recorder.js';
import { EndpointHealthRecorder } from './circuits/endpoint-health.recorder.js';
import { EndpointQueuesService } from './circuits/endpoint-queues.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttemptsService } from './delivery-attempts.service.js';
import { DeliveryDispatcherService } from './delivery-dispatcher.service.js';
import { DeliverySendersService } from './delivery-senders.service.js';
import { Delivery, DeliveryAttempt } from './delivery.entity.js';
import { DeliveryMetrics } from './delivery.metrics.js';
import { DeliveryHealthRepository } from './integrations/delivery-health.repository.js';
import { DeliveryHealthService } from './integrations/delivery-health.service.js';
import { Integration } from './integrations/integration.entity.js';
import { IntegrationsRepository } from './integrations/integrations.repository.js';
import { IntegrationsService } from './integrations/integrations.service.js';
import { DeliveryLogRepository } from './log/delivery-log.repository.js';
import { DeliveryLogService } from './log/delivery-log.service.js';
import { Replay, ReplayDelivery } from './replays/replay.entity.js';
import { ReplaysRetentionJob } from './replays/replays-retention.job.js';
import { ReplaysRepository } from './replays/replays.repository.js';
import { ReplaysService } from './replays/replays.service.js';
import './customer-rows.sql.js';

/** Delivery of events to integrations of every type. */
@Module({
  imports: [
    AlertsModule,
    TypeOrmModule.forFeature([
      DeliveryAttempt,
      Delivery,
      EndpointCircuit,
      Integration,
      Replay,
      ReplayDelivery,
    ]),
  ],
  providers: [
    CircuitsRepository,
    DeliveriesRepository,
    DeliveryAttemptsService,
    DeliveryDispatcherService,
    DeliveryHealthRepository,
    DeliveryHealthService,
    DeliveryLogRepository,
    DeliveryLogService,
    DeliveryMetrics,
    DeliverySendersService,
    EndpointEventsRecorder,
    EndpointHealthRecorder,
    EndpointQueuesService,
    IntegrationsRepository,
    IntegrationsService,
    ReplaysRepository,
    ReplaysRetentionJob,
    ReplaysService,
  ],
  exports: [
    DeliveryDispatcherService,
    DeliveryHealthService,
    DeliveryLogService,
    DeliverySendersService,
    EndpointQueuesService,
    IntegrationsService,
    ReplaysService,
  ],
})
export class DeliveriesModule {}
