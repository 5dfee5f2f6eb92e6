import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { listPage, pageRequest } from '../../platform/http/lists.js';
import { PageQuery, textQuery } from '../../platform/http/query-parameters.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { CustomerAliasListDto, CustomerListDto } from './customer.dto.js';
import { presentAlias, presentListedCustomer } from './customer.presenter.js';
import { CustomersQueryService } from './customers-query.service.js';

const SEARCH_MAX = 255;

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers')
export class CustomerListsV2Controller {
  constructor(private readonly customers: CustomersQueryService) {}

  @Get()
  @RequirePermission('customer_information:customers:read')
  @ApiOperation({ operationId: 'listCustomers', summary: 'Customers, the last to be first seen first' })
  @ApiQuery({
    name: 'search',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: SEARCH_MAX },
    description:
      'Only customers with exactly this app user id, e-mail address (`$email`, in any case), or transaction id, original transaction id, order id or token of a store.',
  })
  @PageQuery()
  @ApiOkResponse({ type: CustomerListDto })
  async list(@Param('project_id') projectId: string, @Req() request: ApiRequest): Promise<CustomerListDto> {
    const page = pageRequest(request);
    const search = textQuery(request, 'search', SEARCH_MAX);
    const rows = await this.customers.page(projectId, search, page);
    return listPage(
      request,
      page,
      rows,
      (row) => presentListedCustomer(projectId, row),
      ({ createdAt, originalAppUserId }) => [createdAt, originalAppUserId],
    );
  }

  @Get(':customer_id/aliases')
  @RequirePermission('customer_information:customers:read')
  @ApiOperation({
    operationId: 'listCustomerAliases',
    summary: 'The ids a customer goes by, sorted bytewise',
  })
  @PageQuery()
  @ApiOkResponse({ type: CustomerAliasListDto })
  async aliases(
    @Param('project_id') projectId: string,
    @Param('customer_id') appUserId: string,
    @Req() request: ApiRequest,
  ): Promise<CustomerAliasListDto> {
    const page = pageRequest(request);
    const rows = await this.customers.aliases(projectId, appUserId, page);
    return listPage(request, page, rows, presentAlias, (row) => [row.appUserId]);
  }
}
