import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Config } from '../../../platform/config/config.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { CurrentOrganizationWrite, OrganizationAccess } from '../../access/organization-access.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import { scimBaseUrl } from '../shared/scim-address.js';
import { CreatedScimTokenDto, CreateScimTokenDto, ScimTokenDto, ScimTokenListDto } from './scim-token.dto.js';
import { presentScimToken } from './scim-token.presenter.js';
import { ScimTokensService } from './scim-tokens.service.js';

@ApiTags('Provisioning')
@Controller('v2/organizations/:org_id/scim/tokens')
export class ScimTokensController {
  constructor(
    private readonly tokens: ScimTokensService,
    private readonly config: Config,
  ) {}

  @Get()
  @OrganizationAccess('admin', 'scim')
  @V2Route({
    operationId: 'listScimTokens',
    summary: 'List SCIM tokens',
    description:
      'The tokens that identity providers use to provision the organization, oldest first, including revoked ones. For owners and admins.',
    ok: ScimTokenListDto,
  })
  async list(
    @Param('org_id') orgId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ScimTokenListDto> {
    const rows = await this.tokens.page(orgId, page);
    return listPage(request, page, rows, presentScimToken, placeByCreation);
  }

  @Post()
  @OrganizationAccess('admin', 'scim')
  @V2Route({
    operationId: 'createScimToken',
    summary: 'Create a SCIM token',
    description: 'Returns the token, which is never shown again, and the base URL for the identity provider.',
    created: CreatedScimTokenDto,
  })
  async create(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Body() { name }: CreateScimTokenDto,
    @Req() request: ApiRequest,
  ): Promise<CreatedScimTokenDto> {
    const { row, token } = await this.tokens.create(write, name);
    return { ...presentScimToken(row), token, base_url: scimBaseUrl(request, this.config) };
  }

  @Delete(':token_id')
  @OrganizationAccess('admin', 'scim')
  @V2Route({
    operationId: 'revokeScimToken',
    summary: 'Revoke a SCIM token',
    description: 'The token stops working at once. Revoking it again has no effect.',
    ok: ScimTokenDto,
  })
  async revoke(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('token_id') id: string,
  ): Promise<ScimTokenDto> {
    return presentScimToken(await this.tokens.revoke(write, id));
  }
}
