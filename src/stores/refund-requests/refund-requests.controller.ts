import { Body, Controller, Get, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  AnswerRefundRequestDto,
  LeaveRefundRequestDto,
  ListRefundRequestsQuery,
  RefundEvidenceDto,
  RefundRequestDto,
  RefundRequestListDto,
} from './refund-request.dto.js';
import { presentRefundRequest } from './refund-request.presenter.js';
import { RefundRequestsService } from './refund-requests.service.js';

const errors = { 409: 'The request is answered or expired, or its answer is being sent.' };

@ApiTags('Refunds')
@Controller('v2/projects/:project_id/refund_requests')
export class RefundRequestsController {
  constructor(private readonly requests: RefundRequestsService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listRefundRequests',
    summary: 'List refund requests',
    description:
      'Refund requests of the App Store and chargebacks of Google Play, with their answers and outcomes, newest first.',
    ok: RefundRequestListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListRefundRequestsQuery,
    @Req() request: ApiRequest,
  ): Promise<RefundRequestListDto> {
    const rows = await this.requests.page(projectId, query, query);
    return listPage(request, query, rows, presentRefundRequest, ({ requestedAt, id }) => [requestedAt, id]);
  }

  @Get(':refund_request_id')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'getRefundRequest',
    summary: 'Get a refund request',
    description: 'A refund request, with its answer and outcome.',
    ok: RefundRequestDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('refund_request_id') id: string,
  ): Promise<RefundRequestDto> {
    return presentRefundRequest(await this.requests.get(projectId, id));
  }

  @Post(':refund_request_id/actions/answer')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'answerRefundRequest',
    summary: 'Answer a refund request',
    description:
      'Replaces the decision about a request that is not answered yet; the answer is sent at once. The store decides: the answer is one of several things it considers.',
    ok: RefundRequestDto,
    errors,
  })
  async answer(
    @CurrentWrite() write: ProjectWrite,
    @Param('refund_request_id') id: string,
    @Body() body: AnswerRefundRequestDto,
  ): Promise<RefundRequestDto> {
    return presentRefundRequest(await this.requests.answer(write, id, body));
  }

  @Post(':refund_request_id/actions/do_not_answer')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'leaveRefundRequest',
    summary: 'Leave a refund request unanswered',
    description: 'Sends the store nothing about a request that is not answered yet.',
    ok: RefundRequestDto,
    errors,
  })
  async leave(
    @CurrentWrite() write: ProjectWrite,
    @Param('refund_request_id') id: string,
    @Body() { note }: LeaveRefundRequestDto,
  ): Promise<RefundRequestDto> {
    return presentRefundRequest(await this.requests.leave(write, id, note ?? null));
  }

  @Put(':refund_request_id/evidence')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'setRefundRequestEvidence',
    summary: 'Set the evidence of a chargeback',
    description:
      'Google Play only: uses of the purchase that the answer contains if the customer consented. Replaces earlier evidence. Deleted after 90 days.',
    ok: RefundRequestDto,
    errors: { ...errors, 422: 'The request is of another store.' },
  })
  async setEvidence(
    @CurrentWrite() write: ProjectWrite,
    @Param('refund_request_id') id: string,
    @Body() { events }: RefundEvidenceDto,
  ): Promise<RefundRequestDto> {
    return presentRefundRequest(await this.requests.setEvidence(write, id, events));
  }
}
