import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { ListTransactionsQuery, presentTransaction, TransactionListDto } from './transaction.dto.js';
import { TransactionsService } from './transactions.service.js';

@ApiTags('Transactions')
@Controller('v2/projects/:project_id/transactions')
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listTransactions',
    summary: 'List transactions',
    description: 'Every payment and refund of the project, newest first.',
    ok: TransactionListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListTransactionsQuery,
    @Req() request: ApiRequest,
  ): Promise<TransactionListDto> {
    const rows = await this.transactions.page(projectId, query, query);
    return listPage(request, query, rows, presentTransaction, ({ purchasedAt, id }) => [purchasedAt, id]);
  }
}
