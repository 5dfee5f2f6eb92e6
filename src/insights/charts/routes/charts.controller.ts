import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { CSV, sendCsv, wantsCsv } from '../../../platform/http/lists/csv.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { ChartsService } from '../answers/charts.service.js';
import { OptionsService } from '../answers/options.service.js';
import { chartNames } from '../definitions/charts.js';
import { ChartOptionsQuery, ChartQuery } from '../question/charts.query.js';
import { csvLines, csvName } from './chart-csv.js';
import { ChartQuestionsService } from './chart-questions.service.js';
import { ChartDataDto, ChartOptionsDto } from './chart.dto.js';
import { presentChart } from './chart.presenter.js';
import { presentOptions } from './chart-options.presenter.js';

@ApiTags('Charts')
@ApiExtraModels(ChartDataDto)
@Controller('v2/projects/:project_id/charts/:chart_name')
export class ChartsController {
  constructor(
    private readonly questions: ChartQuestionsService,
    private readonly charts: ChartsService,
    private readonly optionsOf: OptionsService,
  ) {}

  @Get()
  @V2Route({
    permission: 'charts_metrics:charts:read',
    operationId: 'getChart',
    summary: 'Get a chart',
    description: `Values of a chart by time, or by cohort. Times are UTC. There are ${chartNames.join(', ')}. With \`Accept: text/csv\` or \`format=csv\` the same as CSV. A chart of a large project may be computed in the background: until it is done, the answer is 503 with \`Retry-After\`, \`reason\` is \`chart_computing\`, and asking again joins the same computation.`,
    ok: {
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ChartDataDto) } },
        [CSV]: {
          schema: { type: 'string' },
          example: 'date,incomplete,Revenue (USD),Transactions\r\n2026-01-01,false,20,2\r\n',
        },
      },
    },
  })
  async data(
    @Param('project_id') projectId: string,
    @Param('chart_name') name: string,
    @Query() query: ChartQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const question = await this.questions.read(projectId, name, query);
    const answer = await this.charts.answer(question, query.fresh);
    if (wantsCsv(request, query.format))
      await sendCsv(response, csvName(question), csvLines(question, answer));
    else response.json(presentChart(question, answer));
  }

  @Get('options')
  @V2Route({
    permission: 'charts_metrics:charts:read',
    operationId: 'getChartOptions',
    summary: 'Get the options of a chart',
    description: 'Resolutions, segments, filters with the values of the project, and selectors.',
    ok: ChartOptionsDto,
  })
  async options(
    @Param('project_id') projectId: string,
    @Param('chart_name') name: string,
    @Query() { environment }: ChartOptionsQuery,
  ): Promise<ChartOptionsDto> {
    const chart = await this.questions.chartOf(projectId, name);
    const filters = await this.optionsOf.filters(projectId, chart, environment);
    return presentOptions(chart, this.optionsOf.segments(chart), filters);
  }
}
