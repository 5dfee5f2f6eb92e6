import { Controller, Delete, Get, Param, Query, Req } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { RequireAccountSession } from '../../../platform/auth/access.js';
import { CurrentPrincipal } from '../../../platform/auth/current-principal.js';
import { AccountErrorDto } from '../../../platform/http/errors/error.dto.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { OkDto } from '../../../workspace/accounts/account.dto.js';
import { OauthGrantListDto, presentGrant } from './grant.dto.js';
import { GrantsService } from './grants.service.js';

@ApiTags('Accounts')
@Controller('auth/oauth_tokens')
export class GrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'listOauthGrants',
    summary: 'List your connected clients',
    description: 'The clients with access to a project of yours, newest first.',
  })
  @ApiOkResponse({ type: OauthGrantListDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  async list(
    @CurrentPrincipal() { userId }: SessionPrincipal,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<OauthGrantListDto> {
    const rows = await this.grants.page(userId, page);
    return listPage(request, page, rows, presentGrant, placeByCreation);
  }

  @Delete(':grant_id')
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'endOauthGrant',
    summary: 'Disconnect a client',
    description: 'Ends the access of a client. Its tokens stop working at once.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiNotFoundResponse({ type: AccountErrorDto, description: 'No authorized client has this id.' })
  async end(@CurrentPrincipal() session: SessionPrincipal, @Param('grant_id') id: string): Promise<OkDto> {
    await this.grants.endOwn(session, id);
    return { ok: true };
  }
}
