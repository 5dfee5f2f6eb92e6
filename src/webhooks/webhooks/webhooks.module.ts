import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { DeliveryRequestsService } from './deliveries/delivery-requests.service.js';
import { WebhookDeliveriesV2Controller } from './deliveries/webhook-deliveries.v2.controller.js';
import { WebhookLogService } from './deliveries/webhook-log.service.js';
import { WebhookSenderService } from './deliveries/webhook-sender.service.js';
import { WebhookIntegrationsService } from './integrations/webhook-integrations.service.js';
import { WebhookIntegrationsV2Controller } from './integrations/webhook-integrations.v2.controller.js';
import { WebhookSecretsService } from './integrations/webhook-secrets.service.js';
import { WebhooksV2Controller } from './integrations/webhooks.v2.controller.js';
import { WebhookReplaysService } from './replays/webhook-replays.service.js';
import { WebhookReplaysV2Controller } from './replays/webhook-replays.v2.controller.js';

@Module({
  imports: [AppsModule, CustomersModule, DeliveriesModule],
  controllers: [
    WebhookIntegrationsV2Controller,
    WebhooksV2Controller,
    WebhookDeliveriesV2Controller,
    WebhookReplaysV2Controller,
  ],
  providers: [
    DeliveryRequestsService,
    WebhookIntegrationsService,
    WebhookLogService,
    WebhookReplaysService,
    WebhookSecretsService,
    WebhookSenderService,
  ],
})
export class WebhooksModule {}
