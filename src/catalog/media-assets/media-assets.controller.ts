import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { blobsUrl } from '../../../libs/paywalls/index.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { Config } from '../../platform/config/config.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  CreateMediaAssetDto,
  DeletedMediaAssetDto,
  ListMediaAssetsQuery,
  MediaAssetDto,
  MediaAssetListDto,
} from './media-asset.dto.js';
import { presentMediaAsset } from './media-asset.presenter.js';
import { MediaAssetsService } from './media-assets.service.js';

@ApiTags('Paywalls')
@Controller('v2/projects/:project_id/media_assets')
export class MediaAssetsController {
  constructor(
    private readonly assets: MediaAssetsService,
    private readonly config: Config,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:offerings:read',
    operationId: 'listMediaAssets',
    summary: 'List images and fonts',
    description: 'The uploaded images and fonts of paywalls, newest first.',
    ok: MediaAssetListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListMediaAssetsQuery,
    @Req() request: ApiRequest,
  ): Promise<MediaAssetListDto> {
    const baseUrl = blobsUrl(this.config.baseUrl, projectId);
    const rows = await this.assets.page(projectId, query);
    return listPage(request, query, rows, (row) => presentMediaAsset(row, baseUrl), placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'createMediaAsset',
    summary: 'Upload an image or a font',
    description:
      'Stores an image for paywalls in the forms that phones read, without its metadata, or a font. The same file again returns what is stored, with status 200.',
    created: MediaAssetDto,
    errors: { 422: 'The project has too many files.' },
  })
  @ApiOkResponse({ type: MediaAssetDto, description: 'The file was stored before.' })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateMediaAssetDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MediaAssetDto> {
    const { asset, isNew } = await this.assets.create(write, body);
    if (!isNew) response.status(200);
    return presentMediaAsset(asset, blobsUrl(this.config.baseUrl, write.projectId));
  }

  @Get(':media_asset_id')
  @V2Route({
    permission: 'project_configuration:offerings:read',
    operationId: 'getMediaAsset',
    summary: 'Get an image or a font',
    description: 'An uploaded image or font, with the addresses of its forms.',
    ok: MediaAssetDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('media_asset_id') id: string,
  ): Promise<MediaAssetDto> {
    return presentMediaAsset(await this.assets.get(projectId, id), blobsUrl(this.config.baseUrl, projectId));
  }

  @Delete(':media_asset_id')
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'deleteMediaAsset',
    summary: 'Delete an image or a font',
    description: 'Deletes an image or a font that no paywall uses. Phones can fetch it for 30 more days.',
    ok: DeletedMediaAssetDto,
    errors: { 409: 'A draft or a published paywall uses the file.' },
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('media_asset_id') id: string,
  ): Promise<DeletedMediaAssetDto> {
    return { object: 'media_asset', id, deleted_at: await this.assets.delete(write, id) };
  }
}
