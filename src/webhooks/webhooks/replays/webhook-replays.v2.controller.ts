import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { ReplayWebhookDto, WebhookReplayDto, WebhookReplayListDto } from './webhook-replay.dto.js';
import { presentReplay } from './webhook-replay.presenter.js';
import { placeOfReplay } from '../../deliveries/replays/replays.service.js';
import { WebhookReplaysService } from './webhook-replays.service.js';
import { ListWebhookReplaysQuery } from '../deliveries/webhooks.query.js';

@ApiTags('Webhook deliveries')
@Controller('v2/projects/:project_id/webhooks/:webhook_integration_id')
export class WebhookReplaysV2Controller {
  constructor(private readonly replays: WebhookReplaysService) {}

  @Post('actions/replay')
  @HttpCode(202)
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'replayWebhookEvents',
    summary: 'Send events again',
    description: 'Sends the failed deliveries, or all events, of a time range again. At most 10,000 events.',
    errors: { 422: 'The integration is paused, or the range holds more than 10,000 events.' },
  })
  @ApiAcceptedResponse({ type: WebhookReplayDto })
  async replay(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') integrationId: string,
    @Body() body: ReplayWebhookDto,
  ): Promise<WebhookReplayDto> {
    return presentReplay(await this.replays.request(write, integrationId, body));
  }

  @Get('replays')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listWebhookReplays',
    summary: 'List replays of a webhook',
    description:
      'The replays to a webhook integration with their progress, newest first. Kept like deliveries.',
    ok: WebhookReplayListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('webhook_integration_id') integrationId: string,
    @Query() page: ListWebhookReplaysQuery,
    @Req() request: ApiRequest,
  ): Promise<WebhookReplayListDto> {
    const rows = await this.replays.page({ projectId, integrationId }, page);
    return listPage(request, page, rows, presentReplay, placeOfReplay);
  }

  @Get('replays/:replay_id')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'getWebhookReplay',
    summary: 'Get a replay',
    description:
      'The progress of a replay: the current states of its deliveries, including retries. Deliveries that are no longer ' +
      'stored, or whose customer was deleted, only count in `queued`.',
    ok: WebhookReplayDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('webhook_integration_id') integrationId: string,
    @Param('replay_id') id: string,
  ): Promise<WebhookReplayDto> {
    return presentReplay(await this.replays.get({ projectId, integrationId }, id));
  }
}
