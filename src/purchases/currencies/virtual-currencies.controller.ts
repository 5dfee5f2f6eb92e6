import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermission, RequirePermissionInScope } from '../../platform/auth/access.js';
import { V2ErrorDto } from '../../platform/http/error.dto.js';
import { listPage } from '../../platform/http/lists.js';
import { PageQuery } from '../../platform/http/page-query.js';
import type { ApiRequest } from '../../platform/http/request.js';
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
  @RequirePermission('project_configuration:virtual_currencies:read')
  @ApiOperation({
    operationId: 'listVirtualCurrencies',
    summary: 'List virtual currencies',
    description: 'The virtual currencies of the project, archived ones included, oldest first.',
  })
  @ApiOkResponse({ type: VirtualCurrencyListDto })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<VirtualCurrencyListDto> {
    const rows = await this.currencies.page(projectId, page);
    return listPage(request, page, rows, present, ({ currency }) => [currency.createdAt, currency.code]);
  }

  @Post()
  @RequirePermission('project_configuration:virtual_currencies:read_write')
  @ApiOperation({
    operationId: 'createVirtualCurrency',
    summary: 'Create a virtual currency',
    description:
      'Creates a virtual currency with the amounts that products credit. A project has at most 100.',
  })
  @ApiCreatedResponse({ type: VirtualCurrencyDto })
  @ApiConflictResponse({ type: V2ErrorDto, description: 'The code is in use.' })
  @ApiUnprocessableEntityResponse({
    type: V2ErrorDto,
    description: 'The project already has 100 virtual currencies.',
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateVirtualCurrencyDto,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.create(write, body));
  }

  @Get(':virtual_currency_code')
  @RequirePermission('project_configuration:virtual_currencies:read')
  @ApiOperation({
    operationId: 'getVirtualCurrency',
    summary: 'Get a virtual currency',
    description: 'A virtual currency with the amounts that products credit.',
  })
  @ApiOkResponse({ type: VirtualCurrencyDto })
  async get(
    @Param('project_id') projectId: string,
    @Param('virtual_currency_code') code: string,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.get(projectId, code));
  }

  @Post(':virtual_currency_code')
  @HttpCode(200)
  @RequirePermission('project_configuration:virtual_currencies:read_write')
  @ApiOperation({
    operationId: 'updateVirtualCurrency',
    summary: 'Change a virtual currency',
    description:
      'Changes the name, description or credited amounts of a virtual currency. Its code cannot be changed.',
  })
  @ApiOkResponse({ type: VirtualCurrencyDto })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('virtual_currency_code') code: string,
    @Body() body: UpdateVirtualCurrencyDto,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.update(write, code, body));
  }

  @Delete(':virtual_currency_code')
  @RequirePermissionInScope('project_configuration:virtual_currencies:read_write', 'project:money')
  @ApiOperation({
    operationId: 'deleteVirtualCurrency',
    summary: 'Delete a virtual currency',
    description: 'Deletes a virtual currency with all its balances.',
  })
  @ApiOkResponse({ type: DeletedVirtualCurrencyDto })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('virtual_currency_code') code: string,
  ): Promise<DeletedVirtualCurrencyDto> {
    const deletedAtMs = await this.currencies.delete(write, code);
    return { object: 'virtual_currency', id: code, deleted_at: deletedAtMs };
  }

  @Post(':virtual_currency_code/actions/archive')
  @HttpCode(200)
  @RequirePermission('project_configuration:virtual_currencies:read_write')
  @ApiOperation({
    operationId: 'archiveVirtualCurrency',
    summary: 'Archive a virtual currency',
    description: 'Stops crediting and adjusting a virtual currency. Balances can still be read.',
  })
  @ApiOkResponse({ type: VirtualCurrencyDto })
  async archive(
    @CurrentWrite() write: ProjectWrite,
    @Param('virtual_currency_code') code: string,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.setState(write, code, 'inactive'));
  }

  @Post(':virtual_currency_code/actions/unarchive')
  @HttpCode(200)
  @RequirePermission('project_configuration:virtual_currencies:read_write')
  @ApiOperation({
    operationId: 'unarchiveVirtualCurrency',
    summary: 'Unarchive a virtual currency',
    description: 'Allows credits and adjustments of an archived virtual currency again.',
  })
  @ApiOkResponse({ type: VirtualCurrencyDto })
  async unarchive(
    @CurrentWrite() write: ProjectWrite,
    @Param('virtual_currency_code') code: string,
  ): Promise<VirtualCurrencyDto> {
    return present(await this.currencies.setState(write, code, 'active'));
  }
}
