import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { readQuery } from '../../../platform/http/lists/query-parameters.js';
import { ChartsService } from '../answers/charts.service.js';
import { ChartQuery, RevenueMetricQuery } from '../question/charts.query.js';
import { RevenueMetricDto } from './chart.dto.js';
import { ChartQuestionsService } from './chart-questions.service.js';

@ApiTags('Metrics')
@Controller('v2/projects/:project_id/metrics/revenue')
export class RevenueMetricController {
  constructor(
    private readonly questions: ChartQuestionsService,
    private readonly charts: ChartsService,
  ) {}

  @Get()
  @V2Route({
    permission: 'charts_metrics:overview:read',
    operationId: 'getRevenueMetric',
    summary: 'Get the revenue of a range',
    description: 'The total of the chart `revenue` over a range of days, both included.',
    ok: RevenueMetricDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Query() query: RevenueMetricQuery,
  ): Promise<RevenueMetricDto> {
    const { start_date, end_date, currency, revenue_type, environment } = query;
    const asked = readQuery(ChartQuery, {
      start_date,
      end_date,
      currency,
      environment,
      resolution: 'year',
      aggregate: 'total',
      selectors: JSON.stringify({ revenue_type }),
    });
    const answer = await this.charts.answer(await this.questions.read(projectId, 'revenue', asked));
    const total = answer.form === 'series' ? (answer.summary.total as Record<string, number>) : {};
    const [value = 0] = Object.values(total);
    return { object: 'revenue_metric', start_date, end_date, currency, revenue_type, value };
  }
}
