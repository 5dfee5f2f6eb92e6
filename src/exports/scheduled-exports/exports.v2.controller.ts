import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { Principal } from '../../platform/principal/principal.js';
import { exportPermissions } from '../export-permissions.js';
import {
  CreateExportDto,
  DeletedExportDto,
  ExportDto,
  ExportListDto,
  UpdateExportDto,
} from './export.dto.js';
import { presentExport } from './export.presenter.js';
import { editorOf } from './export-editor.js';
import { ExportsService } from './exports.service.js';

@ApiTags('Exports')
@Controller('v2/projects/:project_id/integrations/exports')
export class ExportsV2Controller {
  constructor(private readonly exports: ExportsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listExports',
    summary: 'List exports',
    description: 'What the project delivers to its export destinations and when, oldest first.',
    ok: ExportListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ExportListDto> {
    const rows = await this.exports.page(projectId, page);
    return listPage(request, page, rows, presentExport, ({ found }) => placeByCreation(found));
  }

  @Post()
  @V2Route({
    permission: exportPermissions,
    operationId: 'createExport',
    summary: 'Create an export',
    description:
      'Delivers data sets to a destination, on a schedule or on request. The first run is full. Runs need the ' +
      'permissions of the last editor.',
    created: ExportDto,
    errors: { 422: 'The project has 20 exports.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateExportDto,
  ): Promise<ExportDto> {
    return presentExport(await this.exports.create(write, editorOf(principal), body));
  }

  @Get(':export_id')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'getExport',
    summary: 'Get an export',
    description: 'What an export delivers, its last run and its next start.',
    ok: ExportDto,
  })
  async get(@Param('project_id') projectId: string, @Param('export_id') id: string): Promise<ExportDto> {
    return presentExport(await this.exports.get(projectId, id));
  }

  @Post(':export_id')
  @V2Route({
    permission: exportPermissions,
    operationId: 'updateExport',
    summary: 'Change an export',
    description:
      'Changes the given fields, pauses it or resumes it. New data sets, another format, environment or destination make ' +
      'the next run full.',
    ok: ExportDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() principal: Principal,
    @Param('export_id') id: string,
    @Body() body: UpdateExportDto,
  ): Promise<ExportDto> {
    return presentExport(await this.exports.update(write, editorOf(principal), id, body));
  }

  @Delete(':export_id')
  @V2Route({
    permission: exportPermissions,
    operationId: 'deleteExport',
    summary: 'Delete an export',
    description: 'Deletes an export and cancels a run of it. Files that were delivered stay where they are.',
    ok: DeletedExportDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('export_id') id: string,
  ): Promise<DeletedExportDto> {
    return { object: 'export', id, deleted_at: await this.exports.delete(write, id) };
  }

  @Post(':export_id/actions/reset')
  @V2Route({
    permission: exportPermissions,
    operationId: 'resetExport',
    summary: 'Reset an export',
    description: 'Forgets what was delivered: the next run is full.',
    ok: ExportDto,
  })
  async reset(@CurrentWrite() write: ProjectWrite, @Param('export_id') id: string): Promise<ExportDto> {
    return presentExport(await this.exports.reset(write, id));
  }
}
