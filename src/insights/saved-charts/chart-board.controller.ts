import { Body, Controller, Get, Param, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { CurrentMemberId } from '../../platform/auth/current-principal.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { completeList } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { presentPreview } from '../charts/routes/chart-preview.presenter.js';
import { ChartBoardService } from './chart-board.service.js';
import {
  BoardChartListDto,
  ChartBoardOrderDto,
  ChartBoardQuery,
  SavedChartListDto,
} from './saved-chart.dto.js';
import { presentSavedChart } from './saved-chart.presenter.js';
import { SavedChartsService } from './saved-charts.service.js';

@ApiTags('Charts')
@Controller('v2/projects/:project_id/chart_board')
export class ChartBoardController {
  constructor(
    private readonly board: ChartBoardService,
    private readonly charts: SavedChartsService,
  ) {}

  @Get()
  @V2Route({
    permission: 'charts_metrics:charts:read',
    operationId: 'getChartBoard',
    summary: 'Get the board of saved charts',
    description:
      'The first 12 saved charts that the caller sees, by position, with one figure each and its values. Cohort tables have no figure. Times are UTC.',
    ok: BoardChartListDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @CurrentMemberId() memberId: string | null,
    @Query() choices: ChartBoardQuery,
    @Req() request: ApiRequest,
  ): Promise<BoardChartListDto> {
    const charts = await this.board.read({ projectId, memberId }, choices);
    return completeList(
      request,
      charts.map(({ chart, question, answer, problem }) => ({
        object: 'board_chart',
        saved_chart: presentSavedChart(chart),
        preview: question && presentPreview(question, answer),
        problem,
      })),
    );
  }

  @Put()
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'reorderChartBoard',
    summary: 'Reorder the board of saved charts',
    description:
      'Places saved charts before the others. The order of the charts of the project is the same for everyone. Returns all saved charts that the caller sees, in order.',
    ok: SavedChartListDto,
  })
  async reorder(
    @CurrentWrite() write: ProjectWrite,
    @CurrentMemberId() memberId: string | null,
    @Body() body: ChartBoardOrderDto,
    @Req() request: ApiRequest,
  ): Promise<SavedChartListDto> {
    const charts = await this.charts.reorder(write, memberId, body.saved_chart_ids);
    return completeList(request, charts.map(presentSavedChart));
  }
}
