import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import {
  CreateDestinationDto,
  DeletedDestinationDto,
  DestinationDto,
  DestinationListDto,
  UpdateDestinationDto,
} from './destination.dto.js';
import { presentDestination } from './destination.presenter.js';
import { ListDestinationsQuery } from './destinations.query.js';
import { DestinationsService } from './destinations.service.js';

@ApiTags('Destinations')
@Controller('v2/projects/:project_id/integrations/destinations')
export class DestinationsV2Controller {
  constructor(private readonly destinations: DestinationsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listDestinations',
    summary: 'List destinations',
    description: 'The tools that receive the events of the project, oldest first.',
    ok: DestinationListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListDestinationsQuery,
    @Req() request: ApiRequest,
  ): Promise<DestinationListDto> {
    const rows = await this.destinations.page(projectId, query.type, query);
    const present = (row: (typeof rows)[number]): DestinationDto =>
      presentDestination(this.destinations.withSecretNames(row));
    return listPage(request, query, rows, present, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'createDestination',
    summary: 'Create a destination',
    description:
      'Sends the events of the project to a tool, under the names and with the properties that the tool knows. ' +
      '`destination_types` describes the settings of each type.',
    created: DestinationDto,
    errors: { 422: 'The project has 50 destinations.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateDestinationDto,
  ): Promise<DestinationDto> {
    return presentDestination(await this.destinations.create(write, body));
  }

  @Get(':destination_id')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'getDestination',
    summary: 'Get a destination',
    description: 'A destination with its settings, without secrets.',
    ok: DestinationDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('destination_id') id: string,
  ): Promise<DestinationDto> {
    const integration = await this.destinations.get(projectId, id);
    return presentDestination(this.destinations.withSecretNames(integration));
  }

  @Post(':destination_id')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'updateDestination',
    summary: 'Change a destination',
    description:
      'Changes the settings or names of events of a destination, pauses it or resumes it. Fields that are not in the ' +
      'body stay as they are. Open deliveries are sent with the new settings.',
    ok: DestinationDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('destination_id') id: string,
    @Body() body: UpdateDestinationDto,
  ): Promise<DestinationDto> {
    return presentDestination(await this.destinations.update(write, id, body));
  }

  @Delete(':destination_id')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'deleteDestination',
    summary: 'Delete a destination',
    description:
      'Deletes a destination. Events that have not been sent to it yet are dropped. Events in the tool stay there.',
    ok: DeletedDestinationDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('destination_id') id: string,
  ): Promise<DeletedDestinationDto> {
    const deletedAt = await this.destinations.delete(write, id);
    return { object: 'destination', id, deleted_at: deletedAt };
  }
}
