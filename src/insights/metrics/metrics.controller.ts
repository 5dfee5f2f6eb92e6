import { applyDecorators, Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { historyMetrics, MAX_HISTORY_DAYS, MIN_HISTORY_DAYS, OVERVIEW_DAYS } from './metric-catalogue.js';
import { MetricHistoryDto, OverviewMetricsDto } from './metrics.dto.js';
import { presentHistory, presentOverview } from './metrics.presenter.js';
import { MetricsService } from './metrics.service.js';
import { historyQuery, overviewQuery } from './metrics-query.js';

function MetricsQuery(): MethodDecorator {
  return applyDecorators(
    ApiQuery({ name: 'currency', enum: ['USD'], required: false }),
    ApiQuery({
      name: 'environment',
      enum: ['production', 'sandbox'],
      required: false,
      description: 'Default: production. Customers belong to no environment and are always counted.',
    }),
  );
}

@ApiTags('Metrics')
@Controller('v2/projects/:project_id/metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get('overview')
  @RequirePermission('charts_metrics:overview:read')
  @ApiOperation({ operationId: 'getOverviewMetrics', summary: 'Key figures of a project as of now' })
  @MetricsQuery()
  @ApiOkResponse({ type: OverviewMetricsDto })
  async overview(
    @Param('project_id') projectId: string,
    @Req() request: ApiRequest,
  ): Promise<OverviewMetricsDto> {
    const { environment } = overviewQuery(request);
    return presentOverview(await this.metrics.overview(projectId, environment));
  }

  @Get('history')
  @RequirePermission('charts_metrics:overview:read')
  @ApiOperation({ operationId: 'getMetricHistory', summary: 'Daily history of a key figure, by UTC day' })
  @ApiQuery({ name: 'metric', enum: historyMetrics })
  @ApiQuery({
    name: 'days',
    required: false,
    type: 'integer',
    description: `${MIN_HISTORY_DAYS} to ${MAX_HISTORY_DAYS}, today included. Default ${OVERVIEW_DAYS}.`,
  })
  @MetricsQuery()
  @ApiOkResponse({ type: MetricHistoryDto })
  async history(
    @Param('project_id') projectId: string,
    @Req() request: ApiRequest,
  ): Promise<MetricHistoryDto> {
    const wanted = historyQuery(request);
    return presentHistory(wanted, await this.metrics.history(projectId, wanted));
  }
}
