import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { MetricHistoryDto, OverviewMetricsDto } from './metrics.dto.js';
import { presentHistory, presentOverview } from './metrics.presenter.js';
import { MetricsService } from './metrics.service.js';
import { MetricHistoryQuery, MetricsQuery } from './metrics.query.js';

@ApiTags('Metrics')
@Controller('v2/projects/:project_id/metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get('overview')
  @V2Route({
    permission: 'charts_metrics:overview:read',
    operationId: 'getOverviewMetrics',
    summary: 'Get the key figures',
    description:
      'The key figures of the project as of now: active trials and subscriptions, recurring revenue, revenue and customers.',
    ok: OverviewMetricsDto,
  })
  async overview(
    @Param('project_id') projectId: string,
    @Query() { environment, currency }: MetricsQuery,
  ): Promise<OverviewMetricsDto> {
    return presentOverview(currency, await this.metrics.overview(projectId, environment, currency));
  }

  @Get('history')
  @V2Route({
    permission: 'charts_metrics:overview:read',
    operationId: 'getMetricHistory',
    summary: 'Get the history of a metric',
    description: 'The daily values of a metric, by UTC day.',
    ok: MetricHistoryDto,
  })
  async history(
    @Param('project_id') projectId: string,
    @Query() query: MetricHistoryQuery,
  ): Promise<MetricHistoryDto> {
    return presentHistory(query, await this.metrics.history(projectId, query));
  }
}
