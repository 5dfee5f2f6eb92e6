import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { completeList } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { CustomerSummariesQuery, CustomerSummaryListDto } from './customer-summary.dto.js';
import { presentCustomerSummary } from './customer-summary.presenter.js';
import { CustomerSummariesService } from './customer-summaries.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customer_summaries')
export class CustomerSummariesController {
  constructor(private readonly summaries: CustomerSummariesService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listCustomerSummaries',
    summary: 'Get summaries of customers',
    description:
      'A short summary of each of up to 100 customers, in the order of the request. Unknown ids are left out.',
    ok: CustomerSummaryListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() { ids, currency }: CustomerSummariesQuery,
    @Req() request: ApiRequest,
  ): Promise<CustomerSummaryListDto> {
    const summaries = await this.summaries.summarize(projectId, ids, currency);
    return completeList(request, summaries.map(presentCustomerSummary));
  }
}
