import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../libs/kernel/index.js';
import { RequirePermission } from '../../platform/auth/access.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { placeByCreation } from '../../platform/http/list-place.js';
import { listPage, pageRequest } from '../../platform/http/lists.js';
import { epochQuery, PageQuery } from '../../platform/http/query-parameters.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { WebhookEventListDto } from './webhook-delivery.dto.js';
import { presentWebhookEvent } from './webhook-delivery.presenter.js';
import { WebhookStateListDto } from './webhook-integration.dto.js';
import { presentWebhookState } from './webhook-integration.presenter.js';
import { WebhookIntegrationsService } from './webhook-integrations.service.js';

const DEFAULT_SINCE_MS = 60_000;

@ApiTags('Webhook deliveries')
@Controller('v2/projects/:project_id/webhooks')
export class WebhooksV2Controller {
  constructor(
    private readonly integrations: WebhookIntegrationsService,
    private readonly log: DeliveryLogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequirePermission('project_configuration:integrations:read')
  @ApiOperation({
    operationId: 'listWebhookStates',
    summary: 'Which webhooks are on, and which of them fail',
  })
  @PageQuery()
  @ApiOkResponse({ type: WebhookStateListDto })
  async states(
    @Param('project_id') projectId: string,
    @Req() request: ApiRequest,
  ): Promise<WebhookStateListDto> {
    const page = pageRequest(request);
    const rows = await this.integrations.page(projectId, page);
    const open = await this.integrations.withOpenCircuit(projectId, rows);
    return listPage(
      request,
      page,
      rows,
      (row) => presentWebhookState(row, open.has(row.id)),
      placeByCreation,
    );
  }

  @Get('events')
  @RequirePermission('project_configuration:integrations:read_write')
  @ApiOperation({
    operationId: 'listWebhookEvents',
    summary: 'Events as webhooks carry them, oldest first: for developing without a public URL',
  })
  @ApiQuery({
    name: 'since',
    required: false,
    type: 'integer',
    description: 'Events recorded from then on; epoch milliseconds. Default: a minute ago.',
  })
  @PageQuery()
  @ApiOkResponse({ type: WebhookEventListDto })
  async events(
    @Param('project_id') projectId: string,
    @Req() request: ApiRequest,
  ): Promise<WebhookEventListDto> {
    const page = pageRequest(request);
    const since = epochQuery(request, 'since') ?? new Date(this.clock.nowMs() - DEFAULT_SINCE_MS);
    const rows = await this.log.recentEvents(projectId, since, page);
    return listPage(request, page, rows, presentWebhookEvent, placeByCreation);
  }
}
