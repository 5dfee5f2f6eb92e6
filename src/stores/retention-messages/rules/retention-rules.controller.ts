import { Body, Controller, Delete, Get, Param, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { completeList } from '../../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import {
  CreateRetentionRuleDto,
  DeletedRetentionRuleDto,
  RetentionRuleDto,
  RetentionRuleListDto,
  RetentionRuleOrderDto,
  UpdateRetentionRuleDto,
} from './retention-rule.dto.js';
import { presentRetentionRule } from './retention-rule.presenter.js';
import { RetentionRulesService } from './retention-rules.service.js';

@ApiTags('Retention messages')
@Controller('v2/projects/:project_id/apps/:app_id/retention_rules')
export class RetentionRulesController {
  constructor(private readonly rules: RetentionRulesService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'listRetentionRules',
    summary: 'List retention rules',
    description: 'The rules of an app in order of evaluation. The first one that matches decides.',
    ok: RetentionRuleListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Req() request: ApiRequest,
  ): Promise<RetentionRuleListDto> {
    const rules = await this.rules.all(projectId, appId);
    return completeList(request, rules.map(presentRetentionRule));
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'createRetentionRule',
    summary: 'Create a retention rule',
    description:
      'Shows a message to the customers whose subscriptions meet all conditions. It is evaluated after the existing rules.',
    created: RetentionRuleDto,
    errors: { 422: 'The app is of another store, or has 50 rules.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: CreateRetentionRuleDto,
  ): Promise<RetentionRuleDto> {
    return presentRetentionRule(await this.rules.create(write, appId, body));
  }

  @Put('priority_list')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'reorderRetentionRules',
    summary: 'Reorder retention rules',
    description: 'Sets the order in which the rules of an app are evaluated. Returns all rules.',
    ok: RetentionRuleListDto,
  })
  async reorder(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: RetentionRuleOrderDto,
    @Req() request: ApiRequest,
  ): Promise<RetentionRuleListDto> {
    const rules = await this.rules.reorder(write, appId, body.rule_ids);
    return completeList(request, rules.map(presentRetentionRule));
  }

  @Get(':retention_rule_id')
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'getRetentionRule',
    summary: 'Get a retention rule',
    description: 'One rule with its conditions and its message.',
    ok: RetentionRuleDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Param('retention_rule_id') id: string,
  ): Promise<RetentionRuleDto> {
    return presentRetentionRule(await this.rules.get(projectId, appId, id));
  }

  @Post(':retention_rule_id')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'updateRetentionRule',
    summary: 'Change a retention rule',
    description: 'Changes a rule. Its environment and its place stay the same.',
    ok: RetentionRuleDto,
    errors: { 422: 'The app is of another store.' },
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Param('retention_rule_id') id: string,
    @Body() body: UpdateRetentionRuleDto,
  ): Promise<RetentionRuleDto> {
    return presentRetentionRule(await this.rules.update(write, appId, id, body));
  }

  @Delete(':retention_rule_id')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'deleteRetentionRule',
    summary: 'Delete a retention rule',
    description: 'Deletes a rule. Its message stays at Apple.',
    ok: DeletedRetentionRuleDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Param('retention_rule_id') id: string,
  ): Promise<DeletedRetentionRuleDto> {
    const deletedAtMs = await this.rules.delete(write, appId, id);
    return { object: 'retention_rule', id, deleted_at: deletedAtMs };
  }
}
