import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import type { Principal } from '../../platform/principal/principal.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  BlockCustomerDto,
  BlockedCustomerDto,
  BlockedCustomerListDto,
  UnblockedCustomerDto,
} from './blocked-customer.dto.js';
import { presentBlockedCustomer } from './blocked-customer.presenter.js';
import { placeOfBlock } from './blocked-customers.repository.js';
import { BlockedCustomersService } from './blocked-customers.service.js';
import { blockedBy } from './blocked-by.js';

@ApiTags('Blocked customers')
@Controller('v2/projects/:project_id/blocked_customers')
export class BlockedCustomersController {
  constructor(private readonly blocked: BlockedCustomersService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listBlockedCustomers',
    summary: 'List blocked app user ids',
    description: 'The blocked app user ids, newest first.',
    ok: BlockedCustomerListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<BlockedCustomerListDto> {
    const rows = await this.blocked.page(projectId, page);
    return listPage(request, page, rows, presentBlockedCustomer, placeOfBlock);
  }

  @Post()
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'blockCustomer',
    summary: 'Block a customer',
    description:
      'Blocks an app user id: its customer gets no entitlements under any id. Purchases, events and webhooks are recorded as before. The id need not exist yet.',
    created: BlockedCustomerDto,
  })
  @ApiOkResponse({
    type: BlockedCustomerDto,
    description: 'The id was already blocked; its note is replaced.',
  })
  async block(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() principal: Principal,
    @Body() body: BlockCustomerDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BlockedCustomerDto> {
    const { app_user_id: appUserId, note = null } = body;
    const { row, isNew } = await this.blocked.block(write, { appUserId, note, by: blockedBy(principal) });
    response.status(isNew ? 201 : 200);
    return presentBlockedCustomer(row);
  }

  @Get(':app_user_id')
  @ApiParam({ name: 'app_user_id', example: 'mallory' })
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'getBlockedCustomer',
    summary: 'Get a blocked app user id',
    description: 'A blocked app user id with its note, and who blocked it and when.',
    ok: BlockedCustomerDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('app_user_id') appUserId: string,
  ): Promise<BlockedCustomerDto> {
    return presentBlockedCustomer(await this.blocked.get(projectId, appUserId));
  }

  @Delete(':app_user_id')
  @ApiParam({ name: 'app_user_id', example: 'mallory' })
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'unblockCustomer',
    summary: 'Unblock a customer',
    description: 'Unblocks an app user id. The customer immediately gets back the access they paid for.',
    ok: UnblockedCustomerDto,
  })
  async unblock(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
  ): Promise<UnblockedCustomerDto> {
    const deletedAtMs = await this.blocked.unblock(write, appUserId);
    return { object: 'blocked_customer', id: appUserId, deleted_at: deletedAtMs };
  }
}
