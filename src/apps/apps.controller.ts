import { Body, Controller, Get, Inject, Param, Post, Req } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { RequirePermission } from '../auth/access.js';
import { V2ErrorDto } from '../http/error.dto.js';
import { listPage, pageRequest } from '../http/lists.js';
import { PageQuery } from '../http/page-query.js';
import type { ApiRequest } from '../http/request.js';
import { AppDto, AppListDto, CreateAppDto, PublicApiKeyListDto } from './app.dto.js';
import { presentApp, presentPublicKey } from './app.presenter.js';
import { AppsService } from './apps.service.js';

@ApiTags('Apps')
@Controller('v2/projects/:project_id/apps')
export class AppsController {
  constructor(@Inject(AppsService) private readonly apps: AppsService) {}

  @Get()
  @RequirePermission('project_configuration:apps:read')
  @ApiOperation({ operationId: 'listApps', summary: 'Apps, oldest first' })
  @PageQuery()
  @ApiOkResponse({ type: AppListDto })
  async list(@Param('project_id') projectId: string, @Req() request: ApiRequest): Promise<AppListDto> {
    const page = pageRequest(request);
    return listPage(request, page, await this.apps.page(projectId, page), presentApp, ({ id }) => id);
  }

  @Post()
  @RequirePermission('project_configuration:apps:read_write')
  @ApiOperation({ operationId: 'createApp', summary: 'Create an app; it gets a public key' })
  @ApiCreatedResponse({ type: AppDto })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto, description: 'The store is not supported yet.' })
  async create(@Param('project_id') projectId: string, @Body() body: CreateAppDto): Promise<AppDto> {
    return presentApp(await this.apps.create(projectId, body));
  }

  @Get(':app_id')
  @RequirePermission('project_configuration:apps:read')
  @ApiOperation({ operationId: 'getApp', summary: 'An app' })
  @ApiOkResponse({ type: AppDto })
  async get(@Param('project_id') projectId: string, @Param('app_id') appId: string): Promise<AppDto> {
    return presentApp(await this.apps.get(projectId, appId));
  }

  @Get(':app_id/public_api_keys')
  @RequirePermission('project_configuration:apps:read')
  @ApiOperation({ operationId: 'listPublicApiKeys', summary: 'The public key that SDKs send' })
  @PageQuery()
  @ApiOkResponse({ type: PublicApiKeyListDto })
  async publicKeys(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Req() request: ApiRequest,
  ): Promise<PublicApiKeyListDto> {
    const page = pageRequest(request);
    const app = await this.apps.get(projectId, appId);
    const rows = page.after === null ? [app] : [];
    return listPage(request, page, rows, presentPublicKey, ({ id }) => `pk_${id}`);
  }
}
