import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { completeList } from '../../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { ChartsService } from '../answers/charts.service.js';
import { ChartPreviewsQuery } from '../question/charts.query.js';
import { ChartPreviewListDto } from './chart-preview.dto.js';
import { presentPreview } from './chart-preview.presenter.js';
import { ChartQuestionsService } from './chart-questions.service.js';

@ApiTags('Charts')
@Controller('v2/projects/:project_id/charts')
export class ChartPreviewsController {
  constructor(
    private readonly questions: ChartQuestionsService,
    private readonly charts: ChartsService,
  ) {}

  @Get()
  @V2Route({
    permission: 'charts_metrics:charts:read',
    operationId: 'listCharts',
    summary: 'List the charts',
    description:
      'All charts with one figure each and its values by time, for an overview. Cohort tables have no figure. Times are UTC.',
    ok: ChartPreviewListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ChartPreviewsQuery,
    @Req() request: ApiRequest,
  ): Promise<ChartPreviewListDto> {
    const questions = await this.questions.readAll(projectId, query);
    const answers = await this.charts.answerSeries(questions);
    return completeList(
      request,
      questions.map((question) => presentPreview(question, answers.get(question) ?? null)),
    );
  }
}
