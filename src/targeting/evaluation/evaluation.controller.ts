import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage, pageOfAll } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  EvaluateTargetingDto,
  type PlacementDto,
  PlacementListDto,
  TargetingEvaluationDto,
} from './evaluation.dto.js';
import { EvaluationService } from './evaluation.service.js';
import type { Placement } from './placements.repository.js';

function presentPlacement({ identifier, usedBy }: Placement): PlacementDto {
  return {
    object: 'placement',
    identifier,
    used_by: usedBy.map(({ object, id, displayName }) => ({ object, id, display_name: displayName })),
  };
}

@ApiTags('Targeting')
@Controller('v2/projects/:project_id')
export class EvaluationController {
  constructor(private readonly evaluations: EvaluationService) {}

  @Post('targeting_rules/actions/evaluate')
  @V2Route({
    permission: ['project_configuration:targeting_rules:read', 'customer_information:customers:read'],
    operationId: 'evaluateTargeting',
    summary: 'Preview the offering of a customer',
    description:
      'Evaluates rules and experiments as for a request of an SDK, and explains why each was not chosen. Changes nothing; the customer does not join an experiment.',
    ok: TargetingEvaluationDto,
  })
  evaluate(
    @Param('project_id') projectId: string,
    @Body() body: EvaluateTargetingDto,
  ): Promise<TargetingEvaluationDto> {
    return this.evaluations.evaluate(projectId, body);
  }

  @Get('placements')
  @V2Route({
    permission: 'project_configuration:targeting_rules:read',
    operationId: 'listPlacements',
    summary: 'List placements',
    description: 'The placements that targeting rules and experiments name.',
    ok: PlacementListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<PlacementListDto> {
    const all = await this.evaluations.placements(projectId);
    const rows = pageOfAll(all, page, ({ identifier }) => identifier);
    return listPage(request, page, rows, presentPlacement, ({ identifier }) => [identifier]);
  }
}
