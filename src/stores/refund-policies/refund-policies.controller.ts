import { Body, Controller, Delete, Get, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { completeList, listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  CreateRefundPolicyDto,
  DeletedRefundPolicyDto,
  RefundPolicyDto,
  RefundPolicyListDto,
  RefundPolicyOrderDto,
  UpdateRefundPolicyDto,
} from './refund-policy.dto.js';
import { placeOfPolicy, presentRefundPolicy } from './refund-policy.presenter.js';
import { RefundPoliciesService } from './refund-policies.service.js';

@ApiTags('Refunds')
@Controller('v2/projects/:project_id/refund_policies')
export class RefundPoliciesController {
  constructor(private readonly policies: RefundPoliciesService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'listRefundPolicies',
    summary: 'List refund policies',
    description:
      'The policies in order of evaluation: the first one whose store and conditions match decides about a refund request. The default policy is last.',
    ok: RefundPolicyListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<RefundPolicyListDto> {
    const rows = await this.policies.page(projectId, query);
    return listPage(request, query, rows, presentRefundPolicy, placeOfPolicy);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'createRefundPolicy',
    summary: 'Create a refund policy',
    description:
      'Adds a policy after the existing ones and before the default one. It decides about new requests only, in apps whose `refund_request_handling` is `policies`.',
    created: RefundPolicyDto,
    errors: { 422: 'There are 50 policies.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateRefundPolicyDto,
  ): Promise<RefundPolicyDto> {
    return presentRefundPolicy(await this.policies.create(write, body));
  }

  @Put('priority_list')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'reorderRefundPolicies',
    summary: 'Reorder refund policies',
    description: 'Sets the order in which policies are evaluated. Returns all policies.',
    ok: RefundPolicyListDto,
  })
  async reorder(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: RefundPolicyOrderDto,
    @Req() request: ApiRequest,
  ): Promise<RefundPolicyListDto> {
    const rows = await this.policies.reorder(write, body.policy_ids);
    return completeList(request, rows.map(presentRefundPolicy));
  }

  @Get(':policy_id')
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'getRefundPolicy',
    summary: 'Get a refund policy',
    description: 'A refund policy, with its place in the order of evaluation.',
    ok: RefundPolicyDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('policy_id') policyId: string,
  ): Promise<RefundPolicyDto> {
    return presentRefundPolicy(await this.policies.get(projectId, policyId));
  }

  @Post(':policy_id')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'updateRefundPolicy',
    summary: 'Change a refund policy',
    description:
      'Changes a policy. Open requests keep the decision made when they arrived. The default policy always matches every request.',
    ok: RefundPolicyDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('policy_id') policyId: string,
    @Body() body: UpdateRefundPolicyDto,
  ): Promise<RefundPolicyDto> {
    return presentRefundPolicy(await this.policies.update(write, policyId, body));
  }

  @Delete(':policy_id')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'deleteRefundPolicy',
    summary: 'Delete a refund policy',
    description: 'Deletes a policy. Requests it decided about keep its name.',
    ok: DeletedRefundPolicyDto,
    errors: { 409: 'It is the default policy.' },
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('policy_id') policyId: string,
  ): Promise<DeletedRefundPolicyDto> {
    const deletedAtMs = await this.policies.delete(write, policyId);
    return { object: 'refund_policy', id: policyId, deleted_at: deletedAtMs };
  }
}
