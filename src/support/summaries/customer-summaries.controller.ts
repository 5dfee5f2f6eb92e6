import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/http/api-error.js';
import { listQuery } from '../../platform/http/expand.js';
import { completeList } from '../../platform/http/lists.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { CustomerSummaryListDto } from './customer-summary.dto.js';
import { presentCustomerSummary } from './customer-summary.presenter.js';
import { CustomerSummariesService } from './customer-summaries.service.js';

const MAX_IDS = 100;

/** @throws ApiError 400 for none, or too many */
function idsQuery(request: ApiRequest): string[] {
  const ids = [...new Set(listQuery(request, 'ids'))];
  if (ids.length >= 1 && ids.length <= MAX_IDS) return ids;
  throw ApiError.parameter('ids', `ids must name 1 to ${MAX_IDS} app user ids.`);
}

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customer_summaries')
export class CustomerSummariesController {
  constructor(private readonly summaries: CustomerSummariesService) {}

  @Get()
  @RequirePermission('customer_information:customers:read')
  @ApiOperation({
    operationId: 'listCustomerSummaries',
    summary: 'What a dashboard shows of customers, in the order asked; unknown ids are left out',
  })
  @ApiQuery({
    name: 'ids',
    type: [String],
    explode: false,
    description: `1 to ${MAX_IDS} app user ids, separated by commas.`,
  })
  @ApiOkResponse({ type: CustomerSummaryListDto })
  async list(
    @Param('project_id') projectId: string,
    @Req() request: ApiRequest,
  ): Promise<CustomerSummaryListDto> {
    const summaries = await this.summaries.of(projectId, idsQuery(request));
    return completeList(request, summaries.map(presentCustomerSummary));
  }
}
