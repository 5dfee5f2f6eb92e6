import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersModule } from '../../customers/customers/customers.module.js';
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
import { DestinationMetrics } from './destination.metrics.js';
import { DeliveryHealthRepository } from './integrations/delivery-health.repository.js';
import { DeliveryHealthService } from './integrations/delivery-health.service.js';
import { Integration } from './integrations/integration.entity.js';
import { IntegrationsRepository } from './integrations/integrations.repository.js';
import { IntegrationsService } from './integrations/integrations.service.js';
import { DeliveryLogRepository } from './log/delivery-log.repository.js';
import { DeliveryLogService } from './log/delivery-log.service.js';
import { ChannelMessagesRepository } from './messages/channel-messages.repository.js';
import { ChannelMessagesService } from './messages/channel-messages.service.js';
import { Replay, ReplayDelivery } from './replays/replay.entity.js';
import { ReplaysRetentionJob } from './replays/replays-retention.job.js';
import { ReplaysRepository } from './replays/replays.repository.js';
import { ReplaysService } from './replays/replays.service.js';
import { EndedWaitsJob } from './waiting/ended-waits.job.js';
import { WaitingDeliveriesRepository } from './waiting/waiting-deliveries.repository.js';
import { WaitingDeliveriesService } from './waiting/waiting-deliveries.service.js';
import './customer-rows.sql.js';

/** Delivery of events to integrations of every type. */
@Module({
  imports: [
    AlertsModule,
    CustomersModule,
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
    ChannelMessagesRepository,
    ChannelMessagesService,
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
    DestinationMetrics,
    EndedWaitsJob,
    EndpointEventsRecorder,
    EndpointHealthRecorder,
    EndpointQueuesService,
    IntegrationsRepository,
    IntegrationsService,
    ReplaysRepository,
    ReplaysRetentionJob,
    ReplaysService,
    WaitingDeliveriesRepository,
    WaitingDeliveriesService,
  ],
  exports: [
    ChannelMessagesService,
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
