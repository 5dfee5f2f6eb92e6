import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage, pageOfAll } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { App } from './app.entity.js';
import {
  AppDto,
  AppListDto,
  CreateAppDto,
  DeletedAppDto,
  PublicApiKeyListDto,
  UpdateAppDto,
} from './app.dto.js';
import { presentApp, presentPublicKey, publicKeyId } from './app.presenter.js';
import { AppsService } from './apps.service.js';

@ApiTags('Apps')
@Controller('v2/projects/:project_id/apps')
export class AppsController {
  constructor(private readonly apps: AppsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'listApps',
    summary: 'List apps',
    description: 'The apps of the project, oldest first.',
    ok: AppListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<AppListDto> {
    return listPage(request, page, await this.apps.page(projectId, page), presentApp, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'createApp',
    summary: 'Create an app',
    description:
      'Creates an app of one store. It gets a public key for the SDKs. An app of the type `test_store` needs no store.',
    created: AppDto,
  })
  async create(@CurrentWrite() write: ProjectWrite, @Body() body: CreateAppDto): Promise<AppDto> {
    return presentApp(await this.apps.create(write, body));
  }

  @Get(':app_id')
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'getApp',
    summary: 'Get an app',
    description: 'An app, with the settings of its store but without secrets.',
    ok: AppDto,
  })
  async get(@Param('project_id') projectId: string, @Param('app_id') appId: string): Promise<AppDto> {
    return presentApp(await this.apps.get(projectId, appId));
  }

  @Post(':app_id')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'updateApp',
    summary: 'Change an app',
    description:
      'Changes the name of an app and the settings of its store. A credential that is null is removed.',
    ok: AppDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: UpdateAppDto,
  ): Promise<AppDto> {
    return presentApp(await this.apps.update(write, appId, body));
  }

  @Delete(':app_id')
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'deleteApp',
    summary: 'Delete an app',
    description:
      'Deletes an app with its products and its public key. Purchases stay on record but no longer unlock anything.',
    ok: DeletedAppDto,
  })
  async delete(@CurrentWrite() write: ProjectWrite, @Param('app_id') appId: string): Promise<DeletedAppDto> {
    return { object: 'app', id: appId, deleted_at: await this.apps.delete(write, appId) };
  }

  @Get(':app_id/public_api_keys')
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'listPublicApiKeys',
    summary: 'List public keys of an app',
    description: 'The public key of an app, which its SDK sends. It is not secret.',
    ok: PublicApiKeyListDto,
  })
  async publicKeys(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<PublicApiKeyListDto> {
    const app = await this.apps.get(projectId, appId);
    const keyOf = ({ id }: App): string => publicKeyId(id);
    return listPage(request, page, pageOfAll([app], page, keyOf), presentPublicKey, (row) => [keyOf(row)]);
  }
}
