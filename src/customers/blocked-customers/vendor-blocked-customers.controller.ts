import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { Principal } from '../../platform/principal/principal.js';
import {
  BlockCustomerByIdDto,
  BlockedCustomerDto,
  BlockedCustomerListDto,
  UnblockedCustomerDto,
} from './blocked-customer.dto.js';
import { presentBlockedCustomer } from './blocked-customer.presenter.js';
import { blockedBy } from './blocked-by.js';
import { placeOfBlock } from './blocked-customers.repository.js';
import { BlockedCustomersService } from './blocked-customers.service.js';

/** The same operations at the vendor's paths. */
@ApiTags('Blocked customers')
@Controller('v2/projects/:project_id/customers/blocked_customers')
export class VendorBlockedCustomersController {
  constructor(private readonly blocked: BlockedCustomersService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listCustomersBlocked',
    summary: "List blocked app user ids, at the vendor's path",
    description: 'The same list as `GET …/blocked_customers`.',
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

  @Post(':customer_id')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'blockCustomerById',
    summary: "Block a customer, at the vendor's path",
    description: 'The same as `POST …/blocked_customers`. The body may be empty. The id need not exist yet.',
    created: BlockedCustomerDto,
  })
  @ApiOkResponse({
    type: BlockedCustomerDto,
    description: 'The id was already blocked; its note is replaced.',
  })
  async block(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() principal: Principal,
    @Param('customer_id') appUserId: string,
    @Body() { note = null }: BlockCustomerByIdDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BlockedCustomerDto> {
    const { row, isNew } = await this.blocked.block(write, { appUserId, note, by: blockedBy(principal) });
    response.status(isNew ? 201 : 200);
    return presentBlockedCustomer(row);
  }

  @Delete(':customer_id')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'unblockCustomerById',
    summary: "Unblock a customer, at the vendor's path",
    description: 'The same as `DELETE …/blocked_customers/{app_user_id}`.',
    ok: UnblockedCustomerDto,
  })
  async unblock(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') appUserId: string,
  ): Promise<UnblockedCustomerDto> {
    const deletedAtMs = await this.blocked.unblock(write, appUserId);
    return { object: 'blocked_customer', id: appUserId, deleted_at: deletedAtMs };
  }
}
