import { Controller, Get, Inject, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../../libs/kernel/index.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { DeliveryHealthService } from '../../deliveries/integrations/delivery-health.service.js';
import { DeliveryLogService } from '../../deliveries/log/delivery-log.service.js';
import { WebhookEventListDto } from '../deliveries/webhook-delivery.dto.js';
import { presentWebhookEvent } from '../deliveries/webhook-delivery.presenter.js';
import { WebhookStateListDto } from './webhook-integration.dto.js';
import { presentWebhookState } from './webhook-integration.presenter.js';
import { ListWebhookEventsQuery } from '../deliveries/webhooks.query.js';
import { WebhookIntegrationsService } from './webhook-integrations.service.js';

const DEFAULT_SINCE_MS = 60_000;

@ApiTags('Webhook deliveries')
@Controller('v2/projects/:project_id/webhooks')
export class WebhooksV2Controller {
  constructor(
    private readonly integrations: WebhookIntegrationsService,
    private readonly health: DeliveryHealthService,
    private readonly log: DeliveryLogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listWebhookStates',
    summary: 'List the state of webhooks',
    description:
      'The state of each webhook integration: whether it is enabled, whether its endpoint fails, and how many deliveries arrived, failed or wait.',
    ok: WebhookStateListDto,
  })
  async states(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<WebhookStateListDto> {
    const rows = await this.integrations.page(projectId, page);
    const ids = rows.map(({ id }) => id);
    const [open, counts] = await Promise.all([
      this.integrations.withOpenCircuit(projectId, rows),
      this.health.countsFor(projectId, ids),
    ]);
    return listPage(
      request,
      page,
      rows,
      (row) => presentWebhookState(row, open.has(row.id), counts.get(row.id)),
      placeByCreation,
    );
  }

  @Get('events')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'listWebhookEvents',
    summary: 'List recent webhook events',
    description:
      'Events in the form that webhooks send, oldest first. For development on a machine without a public URL.',
    ok: WebhookEventListDto,
  })
  async events(
    @Param('project_id') projectId: string,
    @Query() query: ListWebhookEventsQuery,
    @Req() request: ApiRequest,
  ): Promise<WebhookEventListDto> {
    const since = query.since ?? new Date(this.clock.nowMs() - DEFAULT_SINCE_MS);
    const rows = await this.log.recentEvents(projectId, since, query);
    return listPage(request, query, rows, presentWebhookEvent, placeByCreation);
  }
}
