import { Controller, Get, Inject, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../../libs/kernel/index.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { DeliveryLogService } from '../../deliveries/log/delivery-log.service.js';
import { EventsService } from '../../events/events.service.js';
import { type EventDeliveryDto, EventDeliveryListDto } from './destination-delivery.dto.js';
import { presentEventDelivery } from './destination-delivery.presenter.js';

@ApiTags('Events')
@Controller('v2/projects/:project_id/events/:event_id/deliveries')
export class EventDeliveriesV2Controller {
  constructor(
    private readonly events: EventsService,
    private readonly log: DeliveryLogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listEventDeliveries',
    summary: 'List deliveries of an event',
    description: 'Deliveries of an event to webhooks and destinations, newest first.',
    ok: EventDeliveryListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('event_id') eventId: string,
    @Query() query: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<EventDeliveryListDto> {
    await this.events.get(projectId, eventId);
    const deliveries = await this.log.ofEvent(projectId, eventId, query);
    const nowMs = this.clock.nowMs();
    const present = (row: (typeof deliveries)[number]): EventDeliveryDto => presentEventDelivery(row, nowMs);
    return listPage(request, query, deliveries, present, placeByCreation);
  }
}
