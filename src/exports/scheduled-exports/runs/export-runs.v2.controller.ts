import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { CurrentPrincipal } from '../../../platform/auth/current-principal.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { Principal } from '../../../platform/principal/principal.js';
import { exportPermissions } from '../../export-permissions.js';
import { triggerOf } from '../export-editor.js';
import { ExportRunDto, ExportRunListDto, RequestExportRunDto } from './export-run.dto.js';
import { presentExportRun } from './export-run.presenter.js';
import { ExportRunsService } from './export-runs.service.js';

@ApiTags('Exports')
@Controller('v2/projects/:project_id/integrations/exports/:export_id')
export class ExportRunsV2Controller {
  constructor(private readonly runs: ExportRunsService) {}

  @Post('actions/run')
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiAcceptedResponse({ type: ExportRunDto })
  @V2Route({
    permission: exportPermissions,
    operationId: 'runExport',
    summary: 'Run an export now',
    description: 'Queues a run, also of a paused export, and leaves the schedule as it is.',
    errors: { 423: 'A run of the export is in progress. The message names it.' },
  })
  async run(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() principal: Principal,
    @Param('export_id') exportId: string,
    @Body() body: RequestExportRunDto,
  ): Promise<ExportRunDto> {
    return presentExportRun(await this.runs.request(write, triggerOf(principal), exportId, body.mode));
  }

  @Get('runs')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listExportRuns',
    summary: 'List runs of an export',
    description: 'Deliveries of an export, newest first. They are kept for 400 days, and the last 20 always.',
    ok: ExportRunListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('export_id') exportId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ExportRunListDto> {
    const rows = await this.runs.page(projectId, exportId, page);
    return listPage(request, page, rows, presentExportRun, placeByCreation);
  }

  @Get('runs/:run_id')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'getExportRun',
    summary: 'Get a run of an export',
    description: 'How a delivery went and which files it wrote.',
    ok: ExportRunDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('export_id') exportId: string,
    @Param('run_id') id: string,
  ): Promise<ExportRunDto> {
    return presentExportRun(await this.runs.get(projectId, exportId, id));
  }

  @Post('runs/:run_id/actions/cancel')
  @V2Route({
    permission: exportPermissions,
    operationId: 'cancelExportRun',
    summary: 'Cancel a run of an export',
    description: 'Ends a run. Nothing of it becomes visible at the destination.',
    ok: ExportRunDto,
    errors: { 409: 'The run has ended, or its files are becoming visible.' },
  })
  async cancel(
    @CurrentWrite() write: ProjectWrite,
    @Param('export_id') exportId: string,
    @Param('run_id') id: string,
  ): Promise<ExportRunDto> {
    return presentExportRun(await this.runs.cancel(write, exportId, id));
  }
}
