import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/http/api-error.js';

/** Charts that clients of the API know by name. This server draws none of them yet. */
const knownCharts = new Set([
  'actives',
  'actives_movement',
  'actives_new',
  'arr',
  'churn',
  'cohort_explorer',
  'conversion_to_paying',
  'customers_active',
  'customers_new',
  'ltv_per_customer',
  'ltv_per_paying_customer',
  'mrr',
  'mrr_movement',
  'refund_rate',
  'revenue',
  'subscription_retention',
  'subscription_status',
  'trial_conversion_rate',
  'trials',
  'trials_movement',
  'trials_new',
]);

function missing(chart: string): ApiError {
  if (!knownCharts.has(chart)) return ApiError.missing('chart', chart);
  return new ApiError('missing', `The chart ${JSON.stringify(chart)} is not available on this server.`);
}

@ApiTags('Charts')
@Controller('v2/projects/:project_id/charts/:chart_name')
export class ChartsController {
  @Get()
  @RequirePermission('charts_metrics:charts:read')
  @ApiOperation({
    operationId: 'getChart',
    summary: 'Get a chart (none)',
    description:
      'This server draws no charts: the answer is always 404. Key figures are at `GET /v2/projects/{project_id}/metrics/overview`.',
  })
  data(@Param('chart_name') chart: string): never {
    throw missing(chart);
  }

  @Get('options')
  @RequirePermission('charts_metrics:charts:read')
  @ApiOperation({
    operationId: 'getChartOptions',
    summary: 'Get the options of a chart (none)',
    description: 'This server draws no charts: the answer is always 404.',
  })
  options(@Param('chart_name') chart: string): never {
    throw missing(chart);
  }
}
