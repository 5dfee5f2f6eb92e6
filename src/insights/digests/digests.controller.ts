import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  CreateDigestDto,
  DeletedDigestDto,
  DigestDto,
  DigestListDto,
  DigestPreviewDto,
  UpdateDigestDto,
} from './digest.dto.js';
import { presentDigest } from './digest.presenter.js';
import { figurePermissions } from './digest-mails.service.js';
import { DigestSendingService } from './digest-sending.service.js';
import { DigestsService } from './digests.service.js';

@ApiTags('Digests')
@Controller('v2/projects/:project_id/digests')
export class DigestsController {
  constructor(
    private readonly digests: DigestsService,
    private readonly sending: DigestSendingService,
  ) {}

  @Get()
  @V2Route({
    permission: ['project_configuration:integrations:read', ...figurePermissions],
    operationId: 'listDigests',
    summary: 'List digests',
    description: 'The digests of the project, oldest first.',
    ok: DigestListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<DigestListDto> {
    const rows = await this.digests.page(projectId, page);
    return listPage(request, page, rows, presentDigest, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: ['project_configuration:integrations:read_write', ...figurePermissions],
    operationId: 'createDigest',
    summary: 'Create a digest',
    description:
      'Figures of the last complete day or week, sent to a Slack or Discord destination or to members by mail. It is sent at the local hour, but not before 00:20 UTC on the day after the period.',
    created: DigestDto,
    errors: { 422: 'The project has 20 digests.' },
  })
  async create(@CurrentWrite() write: ProjectWrite, @Body() body: CreateDigestDto): Promise<DigestDto> {
    return presentDigest(await this.digests.create(write, body));
  }

  @Get(':digest_id')
  @V2Route({
    permission: ['project_configuration:integrations:read', ...figurePermissions],
    operationId: 'getDigest',
    summary: 'Get a digest',
    description: 'Where and when a digest is sent, and its figures.',
    ok: DigestDto,
  })
  async get(@Param('project_id') projectId: string, @Param('digest_id') id: string): Promise<DigestDto> {
    return presentDigest(await this.digests.get(projectId, id));
  }

  @Get(':digest_id/preview')
  @V2Route({
    permission: ['project_configuration:integrations:read', ...figurePermissions],
    operationId: 'previewDigest',
    summary: 'Preview a digest',
    description: 'The text of a digest with the figures of the last complete period. Sends nothing.',
    ok: DigestPreviewDto,
  })
  async preview(
    @Param('project_id') projectId: string,
    @Param('digest_id') id: string,
  ): Promise<DigestPreviewDto> {
    const { text, isComplete, isEmpty } = await this.sending.preview({ projectId, id });
    return { object: 'digest_preview', ...text, is_complete: isComplete, is_empty: isEmpty };
  }

  @Post(':digest_id')
  @V2Route({
    permission: ['project_configuration:integrations:read_write', ...figurePermissions],
    operationId: 'updateDigest',
    summary: 'Change a digest',
    description:
      'Changes the given fields. To send it elsewhere, set the new place and clear the old one: `"destination_id": null` or `"emails": []`.',
    ok: DigestDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('digest_id') id: string,
    @Body() body: UpdateDigestDto,
  ): Promise<DigestDto> {
    return presentDigest(await this.digests.update(write, id, body));
  }

  @Delete(':digest_id')
  @V2Route({
    permission: ['project_configuration:integrations:read_write', ...figurePermissions],
    operationId: 'deleteDigest',
    summary: 'Delete a digest',
    description: 'Deletes a digest. Messages that have been queued are still sent.',
    ok: DeletedDigestDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('digest_id') id: string,
  ): Promise<DeletedDigestDto> {
    return { object: 'digest', id, deleted_at: await this.digests.delete(write, id) };
  }
}
