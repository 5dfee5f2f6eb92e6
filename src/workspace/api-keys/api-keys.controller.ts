import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { ApiKeyListDto, CreateApiKeyDto, CreatedApiKeyDto, DeletedApiKeyDto } from './api-key.dto.js';
import { presentApiKey } from './api-key.presenter.js';
import { ApiKeysService, type KeyCreator } from './api-keys.service.js';

@ApiTags('API keys')
@Controller('v2/projects/:project_id/api_keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:api_keys:read',
    operationId: 'listApiKeys',
    summary: 'List secret keys',
    description: 'The secret keys of the project, oldest first, without their values.',
    ok: ApiKeyListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ApiKeyListDto> {
    return listPage(request, page, await this.keys.page(projectId, page), presentApiKey, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:api_keys:read_write',
    operationId: 'createApiKey',
    summary: 'Create a secret key',
    description:
      'Creates a secret key with the given permissions, by default all that the caller holds. Only this answer shows its value.',
    created: CreatedApiKeyDto,
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() principal: KeyCreator,
    @Body() body: CreateApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    const { row, key } = await this.keys.create(write, principal, body);
    return { ...presentApiKey(row), key };
  }

  @Delete(':key_id')
  @V2Route({
    permission: 'project_configuration:api_keys:read_write',
    operationId: 'deleteApiKey',
    summary: 'Delete a secret key',
    description: 'Deletes a secret key, which stops working at once. A key may delete itself.',
    ok: DeletedApiKeyDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('key_id') keyId: string,
  ): Promise<DeletedApiKeyDto> {
    return { object: 'api_key', id: keyId, deleted_at: await this.keys.delete(write, keyId) };
  }
}
