import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { listPage } from '../../platform/http/lists.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { EventDto, EventListDto, ListEventsQuery, presentLoggedEvent } from './event-log.dto.js';
import { placeOfEvent } from './event-place.js';
import { EventsService } from './events.service.js';

@ApiTags('Events')
@Controller('v2/projects/:project_id/events')
export class EventLogV2Controller {
  constructor(private readonly events: EventsService) {}

  @Get()
  @RequirePermission('customer_information:customers:read')
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'Every recorded event of the project, newest first, also those that no webhook was sent for.',
  })
  @ApiOkResponse({ type: EventListDto })
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
  @RequirePermission('customer_information:customers:read')
  @ApiOperation({
    operationId: 'getEvent',
    summary: 'Get an event',
    description: 'One recorded event, as the list of events has it.',
  })
  @ApiOkResponse({ type: EventDto })
  async get(@Param('project_id') projectId: string, @Param('event_id') id: string): Promise<EventDto> {
    return presentLoggedEvent(await this.events.get(projectId, id));
  }
}
