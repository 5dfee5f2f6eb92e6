import { Body, Controller, Delete, Get, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Clock } from '../../../libs/kernel/index.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { DestinationDeliveryDto } from '../../webhooks/destinations/deliveries/destination-delivery.dto.js';
import { presentDestinationDelivery } from '../../webhooks/destinations/deliveries/destination-delivery.presenter.js';
import {
  CreateDigestDto,
  DeletedDigestDto,
  DigestDto,
  DigestListDto,
  DigestMailsDto,
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
    @Inject(CLOCK) private readonly clock: Clock,
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

  @Post(':digest_id/actions/send_now')
  @ApiExtraModels(DestinationDeliveryDto, DigestMailsDto)
  @V2Route({
    permission: ['project_configuration:integrations:read_write', ...figurePermissions],
    operationId: 'sendDigestNow',
    summary: 'Send a digest now',
    description:
      'Sends the figures of the last complete period, whether or not they were sent, and leaves the schedule as it is. Returns the delivery to the destination, or the number of mails.',
    created: {
      schema: {
        oneOf: [{ $ref: getSchemaPath(DestinationDeliveryDto) }, { $ref: getSchemaPath(DigestMailsDto) }],
      },
    },
    errors: { 422: 'The destination is paused or deleted.' },
  })
  async sendNow(
    @CurrentWrite() write: ProjectWrite,
    @Param('digest_id') id: string,
  ): Promise<DestinationDeliveryDto | DigestMailsDto> {
    const sent = await this.sending.sendNow(write, id);
    if ('queued' in sent) return { object: 'digest_mails', queued: sent.queued };
    return presentDestinationDelivery(sent.delivery, sent.channel.type, this.clock.nowMs());
  }
}
