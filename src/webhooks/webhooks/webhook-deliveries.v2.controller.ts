import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermission } from '../../platform/auth/access.js';
import { V2ErrorDto } from '../../platform/http/error.dto.js';
import { placeByCreation } from '../../platform/http/list-place.js';
import { listPage } from '../../platform/http/lists.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { DeliveryRequestsService } from './delivery-requests.service.js';
import {
  WebhookDeliveryDetailDto,
  WebhookDeliveryDto,
  WebhookDeliveryListDto,
} from './webhook-delivery.dto.js';
import { presentDelivery, presentDeliveryDetail } from './webhook-delivery.presenter.js';
import { ListWebhookDeliveriesQuery } from './webhooks.query.js';

@ApiTags('Webhook deliveries')
@Controller('v2/projects/:project_id/webhooks/:webhook_integration_id')
export class WebhookDeliveriesV2Controller {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly requests: DeliveryRequestsService,
  ) {}

  @Get('deliveries')
  @RequirePermission('project_configuration:integrations:read')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries of a webhook',
    description: 'The deliveries to a webhook integration, newest first.',
  })
  @ApiOkResponse({ type: WebhookDeliveryListDto })
  async list(
    @Param('project_id') projectId: string,
    @Param('webhook_integration_id') integrationId: string,
    @Query() query: ListWebhookDeliveriesQuery,
    @Req() request: ApiRequest,
  ): Promise<WebhookDeliveryListDto> {
    const filter = { ...query, eventType: query.event_type, eventId: query.event_id };
    const rows = await this.log.page({ projectId, integrationId }, filter, query);
    return listPage(request, query, rows, presentDelivery, placeByCreation);
  }

  // What was sent may hold personal data: readers of the configuration see the list only.
  @Get('deliveries/:delivery_id')
  @RequirePermission('project_configuration:integrations:read_write')
  @ApiOperation({
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery',
    description: 'A delivery with its request and its attempts.',
  })
  @ApiOkResponse({ type: WebhookDeliveryDetailDto })
  async get(
    @Param('project_id') projectId: string,
    @Param('webhook_integration_id') integrationId: string,
    @Param('delivery_id') id: string,
  ): Promise<WebhookDeliveryDetailDto> {
    return presentDeliveryDetail(await this.log.detail({ projectId, integrationId }, id));
  }

  @Post('deliveries/:delivery_id/retry')
  @HttpCode(200)
  @RequirePermission('project_configuration:integrations:read_write')
  @ApiOperation({
    operationId: 'retryWebhookDelivery',
    summary: 'Send a delivery again',
    description: 'Sends a delivery again at once, whether it succeeded or failed before.',
  })
  @ApiOkResponse({ type: WebhookDeliveryDto })
  @ApiConflictResponse({ type: V2ErrorDto, description: 'The delivery is due and will be sent anyway.' })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto, description: 'The integration is paused.' })
  @ApiResponse({ status: 423, type: V2ErrorDto, description: 'The delivery is being sent.' })
  async retry(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') integrationId: string,
    @Param('delivery_id') id: string,
  ): Promise<WebhookDeliveryDto> {
    return presentDelivery(await this.requests.retry(write, integrationId, id));
  }

  @Post('test')
  @RequirePermission('project_configuration:integrations:read_write')
  @ApiOperation({
    operationId: 'sendWebhookTest',
    summary: 'Send a test event',
    description: 'Sends a TEST event to the integration, whatever its filters are.',
  })
  @ApiCreatedResponse({ type: WebhookDeliveryDto })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto, description: 'The integration is paused.' })
  async test(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') integrationId: string,
  ): Promise<WebhookDeliveryDto> {
    return presentDelivery(await this.requests.sendTest(write, integrationId));
  }
}
