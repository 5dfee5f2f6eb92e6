import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage, pageOfAll } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { readAdjustments } from './adjustments.js';
import { AdjustBalancesDto, BalanceListDto, BalancesQuery, presentBalance } from './balance.dto.js';
import { BalanceAdjustmentsService } from './balance-adjustments.service.js';
import { type Balance, BalancesService } from './balances.service.js';

const code = ({ currency }: Balance): string => currency.code;

@ApiTags('Virtual currencies')
@Controller('v2/projects/:project_id/customers/:customer_id/virtual_currencies')
export class BalancesV2Controller {
  constructor(
    private readonly balances: BalancesService,
    private readonly adjustments: BalanceAdjustmentsService,
  ) {}

  @Get()
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listCustomerBalances',
    summary: 'List virtual currency balances of a customer',
    description: 'The balance of a customer in each virtual currency, sorted by code.',
    ok: BalanceListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
    @Query() query: BalancesQuery,
    @Req() request: ApiRequest,
  ): Promise<BalanceListDto> {
    const all = await this.balances.ofCustomer(projectId, customerId);
    const shown = all.filter(({ balance }) => query.include_empty_balances || balance > 0);
    return listPage(request, query, pageOfAll(shown, query, code), presentBalance, (row) => [code(row)]);
  }

  @Post('transactions')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'createVirtualCurrencyTransaction',
    summary: 'Change virtual currency balances',
    description:
      'Adds to or subtracts from balances of a customer, all or none of them and never below zero. Returns the new balances.',
    ok: BalanceListDto,
    errors: { 422: 'A balance would fall below zero or rise above 2,000,000,000.' },
  })
  async transact(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') customerId: string,
    @Body() body: AdjustBalancesDto,
    @Query() query: BalancesQuery,
    @Req() request: ApiRequest,
  ): Promise<BalanceListDto> {
    return this.adjust(write, customerId, body, 'adjustment', { query, request });
  }

  @Post('update_balance')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'updateVirtualCurrencyBalance',
    summary: 'Correct virtual currency balances',
    description: 'Changes balances as a transaction does, but is recorded as a correction.',
    ok: BalanceListDto,
    errors: { 422: 'A balance would fall below zero or rise above 2,000,000,000.' },
  })
  async updateBalance(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') customerId: string,
    @Body() body: AdjustBalancesDto,
    @Query() query: BalancesQuery,
    @Req() request: ApiRequest,
  ): Promise<BalanceListDto> {
    return this.adjust(write, customerId, body, 'balance_update', { query, request });
  }

  private async adjust(
    write: ProjectWrite,
    customerId: string,
    body: AdjustBalancesDto,
    kind: 'adjustment' | 'balance_update',
    { query, request }: { query: BalancesQuery; request: ApiRequest },
  ): Promise<BalanceListDto> {
    const adjustments = readAdjustments(body.adjustments);
    await this.adjustments.adjust(write, customerId, {
      adjustments,
      reference: body.reference ?? null,
      kind,
    });
    return this.list(write.projectId, customerId, query, request);
  }
}
