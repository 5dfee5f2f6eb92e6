import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { CurrentMemberId } from '../../platform/auth/current-principal.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  CreateSavedChartDto,
  DeletedSavedChartDto,
  SavedChartDto,
  SavedChartListDto,
  UpdateSavedChartDto,
} from './saved-chart.dto.js';
import { presentSavedChart } from './saved-chart.presenter.js';
import { SavedChartsService } from './saved-charts.service.js';

@ApiTags('Charts')
@Controller('v2/projects/:project_id/saved_charts')
export class SavedChartsController {
  constructor(private readonly charts: SavedChartsService) {}

  @Get()
  @V2Route({
    permission: 'charts_metrics:charts:read',
    operationId: 'listSavedCharts',
    summary: 'List saved charts',
    description: 'The saved charts of the project and the private ones of the caller, oldest first.',
    ok: SavedChartListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @CurrentMemberId() memberId: string | null,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<SavedChartListDto> {
    const rows = await this.charts.page({ projectId, memberId }, page);
    return listPage(request, page, rows, presentSavedChart, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'createSavedChart',
    summary: 'Save a chart',
    description:
      'Saves a question to a chart under a name, for everyone in the project or as a private chart of the caller. Secret keys have no private charts.',
    created: SavedChartDto,
    errors: { 422: 'The project has 200 saved charts, or the member has 50 private ones.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @CurrentMemberId() memberId: string | null,
    @Body() body: CreateSavedChartDto,
  ): Promise<SavedChartDto> {
    return presentSavedChart(await this.charts.create(write, memberId, body));
  }

  @Get(':saved_chart_id')
  @V2Route({
    permission: 'charts_metrics:charts:read',
    operationId: 'getSavedChart',
    summary: 'Get a saved chart',
    description: 'The name and the question of a saved chart.',
    ok: SavedChartDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @CurrentMemberId() memberId: string | null,
    @Param('saved_chart_id') id: string,
  ): Promise<SavedChartDto> {
    return presentSavedChart(await this.charts.get({ projectId, memberId }, id));
  }

  @Post(':saved_chart_id')
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'updateSavedChart',
    summary: 'Change a saved chart',
    description: 'Changes the name or the question. `parameters` replaces all parameters.',
    ok: SavedChartDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @CurrentMemberId() memberId: string | null,
    @Param('saved_chart_id') id: string,
    @Body() body: UpdateSavedChartDto,
  ): Promise<SavedChartDto> {
    return presentSavedChart(await this.charts.update(write, memberId, id, body));
  }

  @Delete(':saved_chart_id')
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'deleteSavedChart',
    summary: 'Delete a saved chart',
    description: 'Deletes a saved chart, which leaves the board.',
    ok: DeletedSavedChartDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @CurrentMemberId() memberId: string | null,
    @Param('saved_chart_id') id: string,
  ): Promise<DeletedSavedChartDto> {
    return { object: 'saved_chart', id, deleted_at: await this.charts.delete(write, memberId, id) };
  }
}
