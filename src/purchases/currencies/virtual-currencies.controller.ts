import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermissionInScope } from '../../platform/auth/access.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { type DefinedCurrency, VirtualCurrenciesService } from './virtual-currencies.service.js';
import {
  CreateVirtualCurrencyDto,
  DeletedVirtualCurrencyDto,
  UpdateVirtualCurrencyDto,
  VirtualCurrencyDto,
  VirtualCurrencyListDto,
} from './virtual-currency.dto.js';
import { presentVirtualCurrency } from './virtual-currency.presenter.js';

function present({ currency, grants }: DefinedCurrency): VirtualCurrencyDto {
  return presentVirtualCurrency(currency, grants);
}

@ApiTags('Virtual currencies')
@Controller('v2/projects/:project_id/virtual_currencies')
export class VirtualCurrenciesController {
  constructor(private readonly currencies: VirtualCurrenciesService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:virtual_currencies:read',
    operationId: 'listVirtualCurrencies',
    summary: 'List virtual currencies',
    description: 'The virtual currencies of the project, archived ones included, oldest first.',
    ok: VirtualCurrencyListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<VirtualCurrencyListDto> {
    const rows = await this.currencies.page(projectId, page);
    return listPage(request, page, rows, present, ({ currency }) => [currency.createdAt, currency.code]);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:virtual_currencies:read_write',
    operationId: 'createVirtualCurrency',
    summary: 'Create a virtual currency',
    description:
      'Creates a virtual currency with the amounts that products credit. A project has at most 100.',
    created: VirtualCurrencyDto,
    errors: { 409: 'The code is in use.', 422: 'The project already has 100 virtual currencies.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateVirtualCurrencyDto,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.create(write, body));
  }

  @Get(':virtual_currency_code')
  @V2Route({
    permission: 'project_configuration:virtual_currencies:read',
    operationId: 'getVirtualCurrency',
    summary: 'Get a virtual currency',
    description: 'A virtual currency with the amounts that products credit.',
    ok: VirtualCurrencyDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('virtual_currency_code') code: string,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.get(projectId, code));
  }

  @Post(':virtual_currency_code')
  @V2Route({
    permission: 'project_configuration:virtual_currencies:read_write',
    operationId: 'updateVirtualCurrency',
    summary: 'Change a virtual currency',
    description:
      'Changes the name, description or credited amounts of a virtual currency. Its code cannot be changed.',
    ok: VirtualCurrencyDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('virtual_currency_code') code: string,
    @Body() body: UpdateVirtualCurrencyDto,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.update(write, code, body));
  }

  @Delete(':virtual_currency_code')
  @RequirePermissionInScope('project_configuration:virtual_currencies:read_write', 'project:money')
  @V2Route({
    operationId: 'deleteVirtualCurrency',
    summary: 'Delete a virtual currency',
    description: 'Deletes a virtual currency with all its balances.',
    ok: DeletedVirtualCurrencyDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('virtual_currency_code') code: string,
  ): Promise<DeletedVirtualCurrencyDto> {
    const deletedAtMs = await this.currencies.delete(write, code);
    return { object: 'virtual_currency', id: code, deleted_at: deletedAtMs };
  }

  @Post(':virtual_currency_code/actions/archive')
  @V2Route({
    permission: 'project_configuration:virtual_currencies:read_write',
    operationId: 'archiveVirtualCurrency',
    summary: 'Archive a virtual currency',
    description: 'Stops crediting and adjusting a virtual currency. Balances can still be read.',
    ok: VirtualCurrencyDto,
  })
  async archive(
    @CurrentWrite() write: ProjectWrite,
    @Param('virtual_currency_code') code: string,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.setState(write, code, 'inactive'));
  }

  @Post(':virtual_currency_code/actions/unarchive')
  @V2Route({
    permission: 'project_configuration:virtual_currencies:read_write',
    operationId: 'unarchiveVirtualCurrency',
    summary: 'Unarchive a virtual currency',
    description: 'Allows credits and adjustments of an archived virtual currency again.',
    ok: VirtualCurrencyDto,
  })
  async unarchive(
    @CurrentWrite() write: ProjectWrite,
    @Param('virtual_currency_code') code: string,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.setState(write, code, 'active'));
  }
}
