import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { listPage, pageRequest, singleQueryValue } from '../../platform/http/lists.js';
import { EnvironmentQuery, environmentQuery, PageQuery } from '../../platform/http/query-parameters.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { presentTransaction, TransactionListDto } from './transaction.dto.js';
import { TransactionsService } from './transactions.service.js';

@ApiTags('Transactions')
@Controller('v2/projects/:project_id/transactions')
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Get()
  @RequirePermission('customer_information:purchases:read')
  @ApiOperation({ operationId: 'listTransactions', summary: 'Every movement of money, newest first' })
  @ApiQuery({
    name: 'customer',
    required: false,
    type: String,
    description: 'Any app user id of a customer.',
  })
  @EnvironmentQuery()
  @PageQuery()
  @ApiOkResponse({ type: TransactionListDto })
  async list(
    @Param('project_id') projectId: string,
    @Req() request: ApiRequest,
  ): Promise<TransactionListDto> {
    const page = pageRequest(request);
    const filter = {
      customer: singleQueryValue(request.query, 'customer'),
      environment: environmentQuery(request),
    };
    const rows = await this.transactions.page(projectId, filter, page);
    return listPage(request, page, rows, presentTransaction, ({ purchasedAt, id }) => [purchasedAt, id]);
  }
}
