import { Body, Controller, Delete, Get, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { Config } from '../../../platform/config/config.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { CurrentOrganizationWrite, OrganizationAccess } from '../../access/organization-access.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import {
  CreateSsoConnectionDto,
  DeletedSsoConnectionDto,
  SsoConnectionDto,
  SsoConnectionListDto,
  UpdateSsoConnectionDto,
} from './sso-connection.dto.js';
import type { SsoConnection } from './sso-connection.entity.js';
import { presentSsoConnection } from './sso-connection.presenter.js';
import { SsoConnectionsService } from './sso-connections.service.js';

const lastOne = 'It is the last enabled connection, and single sign-on is enforced.';

@ApiTags('Single sign-on')
@Controller('v2/organizations/:org_id/sso/connections')
export class SsoConnectionsController {
  constructor(
    private readonly connections: SsoConnectionsService,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @OrganizationAccess('admin', 'sso')
  @V2Route({
    operationId: 'listSsoConnections',
    summary: 'List connections',
    description: "The organization's connections to identity providers, oldest first. For owners and admins.",
    ok: SsoConnectionListDto,
  })
  async list(
    @Param('org_id') orgId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<SsoConnectionListDto> {
    const rows = await this.connections.page(orgId, page);
    return listPage(request, page, rows, (row) => this.present(row), placeByCreation);
  }

  @Post()
  @OrganizationAccess('admin', 'sso')
  @V2Route({
    operationId: 'createSsoConnection',
    summary: 'Create a connection',
    description:
      'Connects the organization to an identity provider by SAML 2.0 or OpenID Connect. An empty `saml` or `oidc` is enough to receive the values in `sp` that the provider asks for; the rest can follow before the connection is enabled.',
    created: SsoConnectionDto,
    errors: { 422: 'The organization has twenty connections.' },
  })
  async create(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Body() body: CreateSsoConnectionDto,
  ): Promise<SsoConnectionDto> {
    return this.present(await this.connections.create(write, body));
  }

  @Get(':connection_id')
  @OrganizationAccess('admin', 'sso')
  @V2Route({
    operationId: 'getSsoConnection',
    summary: 'Get a connection',
    description: 'A connection, with the values that its identity provider needs from this server.',
    ok: SsoConnectionDto,
  })
  async get(@Param('org_id') orgId: string, @Param('connection_id') id: string): Promise<SsoConnectionDto> {
    return this.present(await this.connections.get(orgId, id));
  }

  @Post(':connection_id')
  @V2Route({
    operationId: 'updateSsoConnection',
    summary: 'Change a connection',
    description:
      'Changes the fields that are sent, including those within `saml` and `oidc`. Turning a connection off does not end the sessions that it started.',
    ok: SsoConnectionDto,
    errors: { 422: lastOne },
  })
  @OrganizationAccess('admin', 'sso')
  async update(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('connection_id') id: string,
    @Body() body: UpdateSsoConnectionDto,
  ): Promise<SsoConnectionDto> {
    return this.present(await this.connections.update(write, id, body));
  }

  @Delete(':connection_id')
  @OrganizationAccess('admin', 'sso')
  @V2Route({
    operationId: 'deleteSsoConnection',
    summary: 'Delete a connection',
    description: 'Also ends the sessions that it started. Accounts and memberships stay.',
    ok: DeletedSsoConnectionDto,
    errors: { 422: lastOne },
  })
  async delete(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('connection_id') id: string,
  ): Promise<DeletedSsoConnectionDto> {
    return { object: 'sso_connection', id, deleted_at: await this.connections.delete(write, id) };
  }

  private present(connection: SsoConnection): SsoConnectionDto {
    return presentSsoConnection(connection, this.config.baseUrl, this.clock.nowMs());
  }
}
