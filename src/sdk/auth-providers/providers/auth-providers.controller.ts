import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import {
  AuthProviderDto,
  AuthProviderListDto,
  CreateAuthProviderDto,
  DeletedAuthProviderDto,
  UpdateAuthProviderDto,
} from './auth-provider.dto.js';
import { presentAuthProvider } from './auth-provider.presenter.js';
import { AuthProvidersService } from './auth-providers.service.js';

@ApiTags('Customer sign-in')
@Controller('v2/projects/:project_id/auth/providers')
export class AuthProvidersController {
  constructor(private readonly providers: AuthProvidersService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:projects:read',
    operationId: 'listAuthProviders',
    summary: 'List identity providers',
    description: 'The identity providers whose ID tokens customers can sign in with, oldest first.',
    ok: AuthProviderListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<AuthProviderListDto> {
    const rows = await this.providers.page(projectId, page);
    return listPage(request, page, rows, presentAuthProvider, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'createAuthProvider',
    summary: 'Create an identity provider',
    description:
      'Accepts the ID tokens of a Firebase project or of an OpenID Connect issuer, such as Auth0, Cognito, Google or Apple. A project has at most ten, each with an issuer of its own.',
    created: AuthProviderDto,
    errors: { 422: 'The project has ten providers.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateAuthProviderDto,
  ): Promise<AuthProviderDto> {
    return presentAuthProvider(await this.providers.create(write, body));
  }

  @Get(':provider_id')
  @V2Route({
    permission: 'project_configuration:projects:read',
    operationId: 'getAuthProvider',
    summary: 'Get an identity provider',
    description: 'An identity provider and its settings.',
    ok: AuthProviderDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('provider_id') providerId: string,
  ): Promise<AuthProviderDto> {
    return presentAuthProvider(await this.providers.get(projectId, providerId));
  }

  @Post(':provider_id')
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'updateAuthProvider',
    summary: 'Change an identity provider',
    description:
      'Changes the fields that are sent; the kind cannot be changed. Customers who signed in before keep their app user id. While a provider is turned off, customers cannot sign in with it, and its sessions cannot be refreshed.',
    ok: AuthProviderDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('provider_id') providerId: string,
    @Body() body: UpdateAuthProviderDto,
  ): Promise<AuthProviderDto> {
    return presentAuthProvider(await this.providers.update(write, providerId, body));
  }

  @Delete(':provider_id')
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'deleteAuthProvider',
    summary: 'Delete an identity provider',
    description:
      'Signs out everyone who signed in with it, and forgets which identity has which app user id. The ids, their purchases and their balances stay.',
    ok: DeletedAuthProviderDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('provider_id') providerId: string,
  ): Promise<DeletedAuthProviderDto> {
    const deletedAtMs = await this.providers.delete(write, providerId);
    return { object: 'auth_provider', id: providerId, deleted_at: deletedAtMs };
  }
}
