import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { CustomerAliasListDto, CustomerListDto, ListCustomersQuery } from './customer.dto.js';
import { presentAlias, presentListedCustomer } from './customer.presenter.js';
import { CustomersQueryService } from './customers-query.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers')
export class CustomerListsV2Controller {
  constructor(private readonly customers: CustomersQueryService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listCustomers',
    summary: 'List customers',
    description:
      'The customers of the project, most recently created first; `search` finds one by id, email address or store identifier.',
    ok: CustomerListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListCustomersQuery,
    @Req() request: ApiRequest,
  ): Promise<CustomerListDto> {
    const rows = await this.customers.page(projectId, query.search, query);
    return listPage(
      request,
      query,
      rows,
      (row) => presentListedCustomer(projectId, row),
      ({ createdAt, originalAppUserId }) => [createdAt, originalAppUserId],
    );
  }

  @Get(':customer_id/aliases')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listCustomerAliases',
    summary: 'List the ids of a customer',
    description: 'Every app user id of a customer, in byte order.',
    ok: CustomerAliasListDto,
  })
  async aliases(
    @Param('project_id') projectId: string,
    @Param('customer_id') appUserId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<CustomerAliasListDto> {
    const rows = await this.customers.aliases(projectId, appUserId, page);
    return listPage(request, page, rows, presentAlias, (row) => [row.appUserId]);
  }
}
