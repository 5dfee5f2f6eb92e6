import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { RefundStatisticsDto, RefundStatisticsQuery } from './refund-statistics.dto.js';
import { presentStatistics } from './refund-statistics.presenter.js';
import { RefundStatisticsService } from './refund-statistics.service.js';

@ApiTags('Refunds')
@Controller('v2/projects/:project_id/refund_requests/statistics')
export class RefundStatisticsController {
  constructor(private readonly statistics: RefundStatisticsService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'getRefundStatistics',
    summary: 'Get statistics of refund requests',
    description:
      'Counts the refund requests made in a range of days, with their answers, outcomes and amounts, in total and by policy, reason and store.',
    ok: RefundStatisticsDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Query() query: RefundStatisticsQuery,
  ): Promise<RefundStatisticsDto> {
    const { days, figures } = await this.statistics.forDays(projectId, query);
    return presentStatistics(days, figures);
  }
}
