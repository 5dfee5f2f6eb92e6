import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/http/api-error.js';
import { startOf } from '../../platform/http/list-place.js';
import { listPage, pageRequest, singleQueryValue } from '../../platform/http/lists.js';
import { EnvironmentQuery, environmentQuery, PageQuery } from '../../platform/http/query-parameters.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { webhookEventTypes } from './event-types.js';
import { EventListDto, presentLoggedEvent } from './event-log.dto.js';
import { EventLogRepository } from './event-log.repository.js';
import { eventPlaceKinds, placeOfEvent } from './event-place.js';

const knownTypes = new Set<string>(webhookEventTypes.map((type) => type.toUpperCase()));

/**
 * Reads `type`: one or a comma list, in either case; null means every type.
 * @throws ApiError 400
 */
function typesQuery(request: ApiRequest): string[] | null {
  const value = singleQueryValue(request.query, 'type');
  if (value === null) return null;
  const types = value.split(',').map((type) => type.trim().toUpperCase());
  const unknown = types.find((type) => !knownTypes.has(type));
  if (unknown !== undefined) {
    throw ApiError.parameter('type', `type ${JSON.stringify(unknown)} is no type of event.`);
  }
  return types;
}

@ApiTags('Events')
@Controller('v2/projects/:project_id/events')
export class EventLogV2Controller {
  constructor(private readonly events: EventLogRepository) {}

  @Get()
  @RequirePermission('customer_information:customers:read')
  @ApiOperation({ operationId: 'listEvents', summary: 'Every recorded event of the project, newest first' })
  @ApiQuery({
    name: 'type',
    required: false,
    type: String,
    description: 'One type or a comma list, in upper or lower case.',
  })
  @ApiQuery({
    name: 'customer',
    required: false,
    type: String,
    description: 'Any app user id of a customer; transfers are in the logs of both.',
  })
  @ApiQuery({ name: 'app_id', required: false, type: String })
  @EnvironmentQuery()
  @PageQuery()
  @ApiOkResponse({ type: EventListDto })
  async list(@Param('project_id') projectId: string, @Req() request: ApiRequest): Promise<EventListDto> {
    const page = pageRequest(request);
    const filter = {
      types: typesQuery(request),
      customer: singleQueryValue(request.query, 'customer'),
      environment: environmentQuery(request),
      appId: singleQueryValue(request.query, 'app_id'),
    };
    const place = await startOf(page.after, eventPlaceKinds, (id) =>
      this.events.placeOf(projectId, filter, id),
    );
    const rows = await this.events.page(projectId, filter, page, place);
    return listPage(request, page, rows, presentLoggedEvent, placeOfEvent);
  }
}
