import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { EnvironmentParameter } from '../../platform/http/lists/query-parameters.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { placeOfEvent } from './event-place.js';
import type { EventRow } from './events.repository.js';
import { EventsService } from './events.service.js';
import { webhookEventModels } from './webhook-event.js';

class CustomerEventDto {
  @ApiProperty({ enum: ['customer.event'] })
  object: 'customer.event';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String, nullable: true })
  app_id: string | null;

  @ApiProperty({ type: String, example: 'INITIAL_PURCHASE' })
  type: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The webhook `event` object.' })
  body: object;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'When the cause happened, epoch milliseconds.' })
  occurred_at: number;
}

class CustomerEventListDto extends listOf(CustomerEventDto) {}

class ListCustomerEventsQuery extends PageQuery {
  @EnvironmentParameter()
  environment: 'production' | 'sandbox' | null;
}

function presentEvent({ id, appId, type, body, createdAt, occurredAt }: EventRow): CustomerEventDto {
  return {
    object: 'customer.event',
    id,
    app_id: appId,
    type,
    body,
    created_at: createdAt.getTime(),
    occurred_at: occurredAt.getTime(),
  };
}

@ApiTags('Customers')
@ApiExtraModels(...webhookEventModels)
@Controller('v2/projects/:project_id/customers/:customer_id/events')
export class EventsV2Controller {
  constructor(private readonly events: EventsService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listCustomerEvents',
    summary: 'List events of a customer',
    description: 'The recorded events of a customer, newest first.',
    ok: CustomerEventListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('customer_id') appUserId: string,
    @Query() query: ListCustomerEventsQuery,
    @Req() request: ApiRequest,
  ): Promise<CustomerEventListDto> {
    const rows = await this.events.ofCustomer(projectId, appUserId, query.environment, query);
    return listPage(request, query, rows, presentEvent, placeOfEvent);
  }
}
