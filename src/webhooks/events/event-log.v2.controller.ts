import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { EventDto, EventListDto, ListEventsQuery, presentLoggedEvent } from './event-log.dto.js';
import { placeOfEvent } from './event-place.js';
import { EventsService } from './events.service.js';

@ApiTags('Events')
@Controller('v2/projects/:project_id/events')
export class EventLogV2Controller {
  constructor(private readonly events: EventsService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listEvents',
    summary: 'List events',
    description: 'Every recorded event of the project, newest first, including events without a webhook.',
    ok: EventListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListEventsQuery,
    @Req() request: ApiRequest,
  ): Promise<EventListDto> {
    const { type: types, app_id: appId, test_clock_id: testClockId, customer, environment } = query;
    const filter = { types, customer, environment, appId, testClockId };
    const rows = await this.events.page(projectId, filter, query);
    return listPage(request, query, rows, presentLoggedEvent, placeOfEvent);
  }

  @Get(':event_id')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'getEvent',
    summary: 'Get an event',
    description: 'One recorded event, as in the list of events.',
    ok: EventDto,
  })
  async get(@Param('project_id') projectId: string, @Param('event_id') id: string): Promise<EventDto> {
    return presentLoggedEvent(await this.events.get(projectId, id));
  }
}
