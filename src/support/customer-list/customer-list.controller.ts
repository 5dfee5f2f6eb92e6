import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { CustomerFiltersQuery } from './customer-filters.query.js';
import { CustomerCountDto, FilteredCustomerListDto } from './customer-list.dto.js';
import { presentFilteredCustomer } from './customer-list.presenter.js';
import { CustomerListService } from './customer-list.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/filtered_customers')
export class CustomerListController {
  constructor(private readonly lists: CustomerListService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listFilteredCustomers',
    summary: 'List customers with filters',
    description: 'The customers that meet all filters, sorted by last seen, first seen or the amount spent.',
    ok: FilteredCustomerListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: CustomerFiltersQuery,
    @Query() paging: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<FilteredCustomerListDto> {
    const items = await this.lists.page(projectId, query, paging);
    const page = listPage(
      request,
      paging,
      items,
      (item) => presentFilteredCustomer(projectId, item),
      ({ place }) => place,
    );
    return { ...page, is_complete: await this.lists.isComplete(projectId) };
  }

  @Get('count')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'countFilteredCustomers',
    summary: 'Count customers with filters',
    description: 'The number of customers that meet all filters, exact up to 10000.',
    ok: CustomerCountDto,
  })
  async count(
    @Param('project_id') projectId: string,
    @Query() query: CustomerFiltersQuery,
  ): Promise<CustomerCountDto> {
    const { count, isExact } = await this.lists.count(projectId, query);
    const isComplete = await this.lists.isComplete(projectId);
    return { object: 'customer_count', count, is_exact: isExact, is_complete: isComplete };
  }
}
