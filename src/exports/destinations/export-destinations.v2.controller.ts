import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { exportPermissions } from '../export-permissions.js';
import {
  CreateExportDestinationDto,
  DeletedExportDestinationDto,
  ExportDestinationDto,
  ExportDestinationListDto,
  UpdateExportDestinationDto,
} from './export-destination.dto.js';
import { presentExportDestination } from './export-destination.presenter.js';
import { ExportDestinationsService } from './export-destinations.service.js';

@ApiTags('Exports')
@Controller('v2/projects/:project_id/integrations/exports/destinations')
export class ExportDestinationsV2Controller {
  constructor(private readonly destinations: ExportDestinationsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listExportDestinations',
    summary: 'List export destinations',
    description: 'The places that files of the project can be delivered to, oldest first.',
    ok: ExportDestinationListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ExportDestinationListDto> {
    const rows = await this.destinations.page(projectId, page);
    return listPage(request, page, rows, presentExportDestination, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: exportPermissions,
    operationId: 'createExportDestination',
    summary: 'Create an export destination',
    description:
      'A bucket, a server or a folder for files of the project. Nothing is sent to it before the first run of an export. ' +
      'Every admin of the project gets a mail.',
    created: ExportDestinationDto,
    errors: { 422: 'The project has 50 destinations, or the server has no folder for the kind `local`.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateExportDestinationDto,
  ): Promise<ExportDestinationDto> {
    return presentExportDestination(await this.destinations.create(write, body));
  }

  @Get(':export_destination_id')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'getExportDestination',
    summary: 'Get an export destination',
    description: 'A destination with its settings. Of secrets it shows only whether and when they were set.',
    ok: ExportDestinationDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('export_destination_id') id: string,
  ): Promise<ExportDestinationDto> {
    return presentExportDestination(await this.destinations.get(projectId, id));
  }

  @Post(':export_destination_id')
  @V2Route({
    permission: exportPermissions,
    operationId: 'updateExportDestination',
    summary: 'Change an export destination',
    description:
      'Changes the given fields and settings. A change of the host, bucket, container, account or user needs the secret ' +
      'again, and makes the next run of each export full.',
    ok: ExportDestinationDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('export_destination_id') id: string,
    @Body() body: UpdateExportDestinationDto,
  ): Promise<ExportDestinationDto> {
    return presentExportDestination(await this.destinations.update(write, id, body));
  }

  @Delete(':export_destination_id')
  @V2Route({
    permission: exportPermissions,
    operationId: 'deleteExportDestination',
    summary: 'Delete an export destination',
    description: 'Deletes a destination with its secrets. Files that were delivered stay where they are.',
    ok: DeletedExportDestinationDto,
    errors: { 409: 'An export uses the destination.' },
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('export_destination_id') id: string,
  ): Promise<DeletedExportDestinationDto> {
    return { object: 'export_destination', id, deleted_at: await this.destinations.delete(write, id) };
  }
}
