import { Body, Controller, Delete, Get, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { completeList, listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
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
  @V2Route({
    permission: 'project_configuration:targeting_rules:read',
    operationId: 'listTargetingRules',
    summary: 'List targeting rules',
    description:
      'Active, scheduled and inactive rules, each in their order. The first live rule that matches decides.',
    ok: TargetingRuleListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListTargetingRulesQuery,
    @Req() request: ApiRequest,
  ): Promise<TargetingRuleListDto> {
    const rows = await this.rules.page(projectId, query.state, query);
    return listPage(request, query, rows, presentTargetingRule, placeOfRule);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:targeting_rules:read_write',
    operationId: 'createTargetingRule',
    summary: 'Create a targeting rule',
    description:
      'Shows an offering to the customers whose requests meet all conditions. It is evaluated after the existing rules.',
    created: TargetingRuleDto,
    errors: { 409: 'The id is in use.', 422: 'An offering is archived, or there are 100 rules.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateTargetingRuleDto,
  ): Promise<TargetingRuleDto> {
    return presentTargetingRule(await this.rules.create(write, body));
  }

  @Put('priority_list')
  @V2Route({
    permission: 'project_configuration:targeting_rules:read_write',
    operationId: 'reorderTargetingRules',
    summary: 'Reorder targeting rules',
    description: 'Sets the order in which live and scheduled rules are evaluated. Returns all rules.',
    ok: TargetingRuleListDto,
  })
  async reorder(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: RulePriorityListDto,
    @Req() request: ApiRequest,
  ): Promise<TargetingRuleListDto> {
    const rules = await this.rules.reorder(write, body.rule_ids);
    return completeList(request, rules.map(presentTargetingRule));
  }

  @Get(':rule_id')
  @V2Route({
    permission: 'project_configuration:targeting_rules:read',
    operationId: 'getTargetingRule',
    summary: 'Get a targeting rule',
    description: 'A rule with its state by the clock.',
    ok: TargetingRuleDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('rule_id') ruleId: string,
  ): Promise<TargetingRuleDto> {
    return presentTargetingRule(await this.rules.get(projectId, ruleId));
  }

  @Post(':rule_id')
  @V2Route({
    permission: 'project_configuration:targeting_rules:read_write',
    operationId: 'updateTargetingRule',
    summary: 'Change a targeting rule',
    description: 'Absent fields are not changed. A rule that becomes active or scheduled is evaluated last.',
    ok: TargetingRuleDto,
    errors: { 422: 'An offering is archived.' },
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('rule_id') ruleId: string,
    @Body() body: UpdateTargetingRuleDto,
  ): Promise<TargetingRuleDto> {
    return presentTargetingRule(await this.rules.update(write, ruleId, body));
  }

  @Delete(':rule_id')
  @V2Route({
    permission: 'project_configuration:targeting_rules:read_write',
    operationId: 'deleteTargetingRule',
    summary: 'Delete a targeting rule',
    description: 'Customers see the offering of the next rule that matches, else the current one.',
    ok: DeletedTargetingRuleDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('rule_id') ruleId: string,
  ): Promise<DeletedTargetingRuleDto> {
    const deletedAtMs = await this.rules.delete(write, ruleId);
    return { object: 'targeting_rule', id: ruleId, deleted_at: deletedAtMs };
  }
}
