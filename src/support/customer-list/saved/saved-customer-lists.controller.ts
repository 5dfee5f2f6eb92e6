import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import {
  CreateCustomerListDto,
  DeletedCustomerListDto,
  SavedCustomerListDto,
  SavedCustomerListListDto,
  UpdateCustomerListDto,
} from './saved-customer-list.dto.js';
import { presentSavedCustomerList } from './saved-customer-list.presenter.js';
import { SavedCustomerListsService } from './saved-customer-lists.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customer_lists')
export class SavedCustomerListsController {
  constructor(private readonly lists: SavedCustomerListsService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listCustomerLists',
    summary: 'List saved customer lists',
    description:
      'The saved lists of the project, oldest first. Read their customers with `listFilteredCustomers`.',
    ok: SavedCustomerListListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<SavedCustomerListListDto> {
    const rows = await this.lists.page(projectId, page);
    return listPage(request, page, rows, presentSavedCustomerList, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'createCustomerList',
    summary: 'Save a customer list',
    description: 'Saves filters and an order under a name, for everyone in the project.',
    created: SavedCustomerListDto,
    errors: { 422: 'The project has 200 lists.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateCustomerListDto,
  ): Promise<SavedCustomerListDto> {
    return presentSavedCustomerList(await this.lists.create(write, body));
  }

  @Get(':customer_list_id')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'getCustomerList',
    summary: 'Get a saved customer list',
    description: 'The name, filters and order of a saved list.',
    ok: SavedCustomerListDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('customer_list_id') id: string,
  ): Promise<SavedCustomerListDto> {
    return presentSavedCustomerList(await this.lists.get(projectId, id));
  }

  @Post(':customer_list_id')
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'updateCustomerList',
    summary: 'Change a saved customer list',
    description: 'Changes the name, the filters or the order. `filters` replaces all filters.',
    ok: SavedCustomerListDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_list_id') id: string,
    @Body() body: UpdateCustomerListDto,
  ): Promise<SavedCustomerListDto> {
    return presentSavedCustomerList(await this.lists.update(write, id, body));
  }

  @Delete(':customer_list_id')
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'deleteCustomerList',
    summary: 'Delete a saved customer list',
    description: 'Deletes a saved list. Its customers stay.',
    ok: DeletedCustomerListDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_list_id') id: string,
  ): Promise<DeletedCustomerListDto> {
    return { object: 'customer_list', id, deleted_at: await this.lists.delete(write, id) };
  }
}
