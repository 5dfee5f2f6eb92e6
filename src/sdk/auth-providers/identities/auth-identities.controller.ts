import { Controller, Delete, Get, Param, Query, Req } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { AuthIdentitiesService } from './auth-identities.service.js';
import {
  AuthIdentityDto,
  AuthIdentityListDto,
  DeletedAuthIdentityDto,
  IdentityBalanceDto,
  ListAuthIdentitiesQuery,
} from './auth-identity.dto.js';
import { presentAuthIdentity, presentListedAuthIdentity } from './auth-identity.presenter.js';
import { placeOfIdentity } from './identity-place.js';

@ApiTags('Customer sign-in')
@ApiExtraModels(IdentityBalanceDto)
@Controller('v2/projects/:project_id/auth/identities')
export class AuthIdentitiesController {
  constructor(private readonly identities: AuthIdentitiesService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listAuthIdentities',
    summary: 'List identities',
    description:
      'Identities that have signed in, latest sign-in first. Use `next_page` for the next page; an identity that signs in meanwhile moves to the start of the list.',
    ok: AuthIdentityListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListAuthIdentitiesQuery,
    @Req() request: ApiRequest,
  ): Promise<AuthIdentityListDto> {
    const { provider_id: providerId, subject, app_user_id: appUserId } = query;
    const rows = await this.identities.page(projectId, { providerId, subject, appUserId }, query);
    return listPage(request, query, rows, presentListedAuthIdentity, placeOfIdentity);
  }

  @Get(':provider_id/:subject')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'getAuthIdentity',
    summary: 'Get an identity',
    description: 'An identity at its provider, with the active entitlements of its customer.',
    ok: AuthIdentityDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('provider_id') providerId: string,
    @Param('subject') subject: string,
  ): Promise<AuthIdentityDto> {
    return presentAuthIdentity(await this.identities.getDetails(projectId, { providerId, subject }));
  }

  @Delete(':provider_id/:subject')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'deleteAuthIdentity',
    summary: 'Unlink an identity',
    description:
      "Ends all sessions of an identity and forgets its app user id: the next sign-in maps it again by the provider's settings. The customer and their purchases stay.",
    ok: DeletedAuthIdentityDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('provider_id') providerId: string,
    @Param('subject') subject: string,
  ): Promise<DeletedAuthIdentityDto> {
    const deletedAtMs = await this.identities.delete(write, { providerId, subject });
    return { object: 'auth_identity', id: subject, deleted_at: deletedAtMs };
  }
}
