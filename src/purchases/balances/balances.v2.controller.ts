import { applyDecorators, Body, Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermission } from '../../platform/auth/access.js';
import { V2ErrorDto } from '../../platform/http/error.dto.js';
import { listPage, pageOfAll, pageRequest } from '../../platform/http/lists.js';
import { booleanQuery, PageQuery } from '../../platform/http/query-parameters.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { readAdjustments } from './adjustments.js';
import { AdjustBalancesDto, BalanceListDto, presentBalance } from './balance.dto.js';
import { type Balance, BalancesService } from './balances.service.js';

function BalancesQuery(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'include_empty_balances',
      required: false,
      type: Boolean,
      description: 'Default false.',
    }),
    PageQuery(),
  );
}

const code = ({ currency }: Balance): string => currency.code;

@ApiTags('Virtual currencies')
@Controller('v2/projects/:project_id/customers/:customer_id/virtual_currencies')
export class BalancesV2Controller {
  constructor(private readonly balances: BalancesService) {}

  @Get()
  @RequirePermission('customer_information:purchases:read')
  @ApiOperation({ operationId: 'listCustomerBalances', summary: 'What a customer holds of each currency' })
  @BalancesQuery()
  @ApiOkResponse({ type: BalanceListDto })
  async list(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
    @Req() request: ApiRequest,
  ): Promise<BalanceListDto> {
    const withEmpty = booleanQuery(request, 'include_empty_balances');
    const page = pageRequest(request);
    const all = await this.balances.ofCustomer(projectId, customerId);
    const shown = all.filter(({ balance }) => withEmpty || balance > 0);
    return listPage(request, page, pageOfAll(shown, page, code), presentBalance, (row) => [code(row)]);
  }

  @Post('transactions')
  @HttpCode(200)
  @RequirePermission('customer_information:purchases:read_write')
  @ApiOperation({
    operationId: 'createVirtualCurrencyTransaction',
    summary: 'Give and take currency, all or nothing and never below zero; answers the balances after it',
  })
  @BalancesQuery()
  @ApiOkResponse({ type: BalanceListDto })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto, description: 'A balance would leave its bounds.' })
  async transact(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') customerId: string,
    @Body() body: AdjustBalancesDto,
    @Req() request: ApiRequest,
  ): Promise<BalanceListDto> {
    return this.adjust(write, customerId, body, 'adjustment', request);
  }

  @Post('update_balance')
  @HttpCode(200)
  @RequirePermission('customer_information:purchases:read_write')
  @ApiOperation({
    operationId: 'updateVirtualCurrencyBalance',
    summary: 'As a transaction, but kept apart in the history as a correction of the balance',
  })
  @BalancesQuery()
  @ApiOkResponse({ type: BalanceListDto })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto, description: 'A balance would leave its bounds.' })
  async updateBalance(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') customerId: string,
    @Body() body: AdjustBalancesDto,
    @Req() request: ApiRequest,
  ): Promise<BalanceListDto> {
    return this.adjust(write, customerId, body, 'balance_update', request);
  }

  private async adjust(
    write: ProjectWrite,
    customerId: string,
    body: AdjustBalancesDto,
    kind: 'adjustment' | 'balance_update',
    request: ApiRequest,
  ): Promise<BalanceListDto> {
    booleanQuery(request, 'include_empty_balances');
    pageRequest(request);
    const adjustments = readAdjustments(body.adjustments);
    await this.balances.adjust(write, customerId, { adjustments, reference: body.reference ?? null, kind });
    return this.list(write.projectId, customerId, request);
  }
}
