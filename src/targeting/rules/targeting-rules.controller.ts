import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermission } from '../../platform/auth/access.js';
import { V2ErrorDto } from '../../platform/http/error.dto.js';
import { completeList, listPage } from '../../platform/http/lists.js';
import type { ApiRequest } from '../../platform/http/request.js';
import {
  CreateTargetingRuleDto,
  DeletedTargetingRuleDto,
  ListTargetingRulesQuery,
  RulePriorityListDto,
  TargetingRuleDto,
  TargetingRuleListDto,
  UpdateTargetingRuleDto,
} from './targeting-rule.dto.js';
import { placeOfRule, presentTargetingRule } from './targeting-rule.presenter.js';
import { TargetingRulesService } from './targeting-rules.service.js';

@ApiTags('Targeting')
@Controller('v2/projects/:project_id/targeting_rules')
export class TargetingRulesController {
  constructor(private readonly rules: TargetingRulesService) {}

  @Get()
  @RequirePermission('project_configuration:targeting_rules:read')
  @ApiOperation({
    operationId: 'listTargetingRules',
    summary: 'List targeting rules',
    description:
      'Active, scheduled and inactive rules, each in their order. The first live rule that matches decides.',
  })
  @ApiOkResponse({ type: TargetingRuleListDto })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListTargetingRulesQuery,
    @Req() request: ApiRequest,
  ): Promise<TargetingRuleListDto> {
    const rows = await this.rules.page(projectId, query.state, query);
    return listPage(request, query, rows, presentTargetingRule, placeOfRule);
  }

  @Post()
  @RequirePermission('project_configuration:targeting_rules:read_write')
  @ApiOperation({
    operationId: 'createTargetingRule',
    summary: 'Create a targeting rule',
    description:
      'Shows an offering to the customers whose requests meet all conditions. It is asked after the rules there are.',
  })
  @ApiCreatedResponse({ type: TargetingRuleDto })
  @ApiConflictResponse({ type: V2ErrorDto, description: 'The id is in use.' })
  @ApiUnprocessableEntityResponse({
    type: V2ErrorDto,
    description: 'An offering is archived, or there are 100 rules.',
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateTargetingRuleDto,
  ): Promise<TargetingRuleDto> {
    return presentTargetingRule(await this.rules.create(write, body));
  }

  @Put('priority_list')
  @RequirePermission('project_configuration:targeting_rules:read_write')
  @ApiOperation({
    operationId: 'reorderTargetingRules',
    summary: 'Reorder targeting rules',
    description: 'Sets the order in which live and scheduled rules are asked. Answers with all rules.',
  })
  @ApiOkResponse({ type: TargetingRuleListDto })
  async reorder(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: RulePriorityListDto,
    @Req() request: ApiRequest,
  ): Promise<TargetingRuleListDto> {
    const rules = await this.rules.reorder(write, body.rule_ids);
    return completeList(request, rules.map(presentTargetingRule));
  }

  @Get(':rule_id')
  @RequirePermission('project_configuration:targeting_rules:read')
  @ApiOperation({
    operationId: 'getTargetingRule',
    summary: 'Get a targeting rule',
    description: 'A rule with its state by the clock.',
  })
  @ApiOkResponse({ type: TargetingRuleDto })
  async get(
    @Param('project_id') projectId: string,
    @Param('rule_id') ruleId: string,
  ): Promise<TargetingRuleDto> {
    return presentTargetingRule(await this.rules.get(projectId, ruleId));
  }

  @Post(':rule_id')
  @HttpCode(200)
  @RequirePermission('project_configuration:targeting_rules:read_write')
  @ApiOperation({
    operationId: 'updateTargetingRule',
    summary: 'Change a targeting rule',
    description: 'Absent fields stay. A rule that becomes active or scheduled is asked last.',
  })
  @ApiOkResponse({ type: TargetingRuleDto })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto, description: 'An offering is archived.' })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('rule_id') ruleId: string,
    @Body() body: UpdateTargetingRuleDto,
  ): Promise<TargetingRuleDto> {
    return presentTargetingRule(await this.rules.update(write, ruleId, body));
  }

  @Delete(':rule_id')
  @RequirePermission('project_configuration:targeting_rules:read_write')
  @ApiOperation({
    operationId: 'deleteTargetingRule',
    summary: 'Delete a targeting rule',
    description: 'Customers get the offering of the next rule that matches, else the current one.',
  })
  @ApiOkResponse({ type: DeletedTargetingRuleDto })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('rule_id') ruleId: string,
  ): Promise<DeletedTargetingRuleDto> {
    const deletedAtMs = await this.rules.delete(write, ruleId);
    return { object: 'targeting_rule', id: ruleId, deleted_at: deletedAtMs };
  }
}
