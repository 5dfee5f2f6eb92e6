import { Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { isPermitted } from '../../../platform/auth/current-principal.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { DeliveryRequestsService } from './delivery-requests.service.js';
import {
  WebhookDeliveryDetailDto,
  WebhookDeliveryDto,
  WebhookDeliveryListDto,
} from './webhook-delivery.dto.js';
import {
  presentDelivery,
  presentDeliveryDetail,
  presentDeliveryWithoutEvent,
} from './webhook-delivery.presenter.js';
import { WebhookLogService } from './webhook-log.service.js';
import { ListWebhookDeliveriesQuery } from './webhooks.query.js';

@ApiTags('Webhook deliveries')
@Controller('v2/projects/:project_id/webhooks/:webhook_integration_id')
export class WebhookDeliveriesV2Controller {
  constructor(
    private readonly log: WebhookLogService,
    private readonly requests: DeliveryRequestsService,
  ) {}

  @Get('deliveries')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries of a webhook',
    description:
      'The deliveries to a webhook integration, newest first. Customer, product and amount need the permission `customer_information:customers:read`; without it they are null.',
    ok: WebhookDeliveryListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('webhook_integration_id') integrationId: string,
    @Query() query: ListWebhookDeliveriesQuery,
    @Req() request: ApiRequest,
  ): Promise<WebhookDeliveryListDto> {
    const filter = { ...query, reason: null, eventType: query.event_type, eventId: query.event_id };
    const rows = await this.log.page({ projectId, integrationId }, filter, query);
    const present = isPermitted(request, 'customer_information:customers:read')
      ? presentDelivery
      : presentDeliveryWithoutEvent;
    return listPage(request, query, rows, present, placeByCreation);
  }

  // Request bodies may contain personal data, so permission to read the configuration only covers the list.
  @Get('deliveries/:delivery_id')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery',
    description: 'A delivery with its request and its attempts.',
    ok: WebhookDeliveryDetailDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('webhook_integration_id') integrationId: string,
    @Param('delivery_id') id: string,
  ): Promise<WebhookDeliveryDetailDto> {
    return presentDeliveryDetail(await this.log.detail({ projectId, integrationId }, id));
  }

  @Post('deliveries/:delivery_id/retry')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'retryWebhookDelivery',
    summary: 'Send a delivery again',
    description: 'Sends a delivery again at once, whether it succeeded or failed before.',
    ok: WebhookDeliveryDto,
    errors: {
      409: 'The delivery is due and will be sent anyway.',
      422: 'The integration is paused.',
      423: 'The delivery is being sent.',
    },
  })
  async retry(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') integrationId: string,
    @Param('delivery_id') id: string,
  ): Promise<WebhookDeliveryDto> {
    return presentDelivery(await this.requests.retry(write, integrationId, id));
  }

  @Post('test')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'sendWebhookTest',
    summary: 'Send a test event',
    description: 'Sends a TEST event to the integration, whatever its filters are.',
    created: WebhookDeliveryDto,
    errors: { 422: 'The integration is paused.' },
  })
  async test(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') integrationId: string,
  ): Promise<WebhookDeliveryDto> {
    return presentDelivery(await this.requests.sendTest(write, integrationId));
  }
}
