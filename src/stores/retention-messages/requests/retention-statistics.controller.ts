import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../../libs/kernel/index.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { RetentionRulesService } from '../rules/retention-rules.service.js';
import { RetentionRequestsService } from './retention-requests.service.js';
import { RetentionStatisticsDto, RetentionStatisticsQuery } from './retention-statistics.dto.js';
import { presentStatistics } from './retention-statistics.presenter.js';

const DEFAULT_MS = 30 * 86_400_000;

@ApiTags('Retention messages')
@Controller('v2/projects/:project_id/apps/:app_id/retention_messages/statistics')
export class RetentionStatisticsController {
  constructor(
    private readonly requests: RetentionRequestsService,
    private readonly rules: RetentionRulesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'getRetentionStatistics',
    summary: 'Get statistics of retention messages',
    description:
      'How often Apple asked and which rules answered, how many subscriptions were still to renew a day later, and how many renewed.',
    ok: RetentionStatisticsDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Query() { environment, from, to }: RetentionStatisticsQuery,
  ): Promise<RetentionStatisticsDto> {
    const end = to ?? new Date(this.clock.nowMs());
    const start = from ?? new Date(end.getTime() - DEFAULT_MS);
    if (start >= end) throw ApiError.parameter('from', 'from must be before to.');
    const rules = await this.rules.all(projectId, appId);
    const place = { projectId, appId, environment };
    const counts = await this.requests.countByRule(place, start, end);
    return presentStatistics(place, { from: start, to: end }, rules, counts);
  }
}
