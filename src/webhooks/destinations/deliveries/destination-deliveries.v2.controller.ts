import { Controller, Get, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { isPermitted } from '../../../platform/auth/current-principal.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { LoggedDelivery } from '../../deliveries/log/delivery-log.repository.js';
import { withoutEvent } from '../../deliveries/log/without-event.js';
import { ListDestinationDeliveriesQuery } from './destination-deliveries.query.js';
import {
  DestinationDeliveryDetailDto,
  DestinationDeliveryDto,
  DestinationDeliveryListDto,
} from './destination-delivery.dto.js';
import {
  presentDestinationDelivery,
  presentDestinationDeliveryDetail,
} from './destination-delivery.presenter.js';
import { DestinationLogService } from './destination-log.service.js';

@ApiTags('Destination deliveries')
@Controller('v2/projects/:project_id/integrations/destinations/:destination_id/deliveries')
export class DestinationDeliveriesV2Controller {
  constructor(
    private readonly log: DestinationLogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listDestinationDeliveries',
    summary: 'List deliveries of a destination',
    description:
      'The deliveries to a destination with the reason of those that are not sent, newest first. Customer, product and amount need the permission `customer_information:customers:read`; without it they are null.',
    ok: DestinationDeliveryListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('destination_id') integrationId: string,
    @Query() query: ListDestinationDeliveriesQuery,
    @Req() request: ApiRequest,
  ): Promise<DestinationDeliveryListDto> {
    const filter = { ...query, eventType: query.event_type, eventId: query.event_id };
    const { integration, deliveries } = await this.log.page({ projectId, integrationId }, filter, query);
    const seesCustomers = isPermitted(request, 'customer_information:customers:read');
    const present = (row: LoggedDelivery): DestinationDeliveryDto =>
      presentDestinationDelivery(
        seesCustomers ? row : withoutEvent(row),
        integration.type,
        this.clock.nowMs(),
      );
    return listPage(request, query, deliveries, present, placeByCreation);
  }

  // Request bodies may contain personal data, so permission to read the configuration only covers the list.
  @Get(':destination_delivery_id')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'getDestinationDelivery',
    summary: 'Get a delivery to a destination',
    description: 'A delivery with its requests, without secrets, and its attempts.',
    ok: DestinationDeliveryDetailDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('destination_id') integrationId: string,
    @Param('destination_delivery_id') id: string,
  ): Promise<DestinationDeliveryDetailDto> {
    const detail = await this.log.detail({ projectId, integrationId }, id);
    return presentDestinationDeliveryDetail(detail, this.clock.nowMs());
  }

  @Post(':destination_delivery_id/retry')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'retryDestinationDelivery',
    summary: 'Send a delivery to a destination again',
    description:
      'Sends a delivery again at once. One that waits or was skipped is judged again; the others send the same bytes.',
    ok: DestinationDeliveryDto,
    errors: {
      409: 'The delivery is due and will be sent anyway, its event is too old for the tool, or another delivery brought the event to a tool that would count it twice.',
      422: 'The destination is paused.',
      423: 'The delivery is being sent.',
    },
  })
  async retry(
    @CurrentWrite() write: ProjectWrite,
    @Param('destination_id') integrationId: string,
    @Param('destination_delivery_id') id: string,
  ): Promise<DestinationDeliveryDto> {
    const { delivery, integration } = await this.log.retry(write, integrationId, id);
    return presentDestinationDelivery(delivery, integration.type, this.clock.nowMs());
  }
}
