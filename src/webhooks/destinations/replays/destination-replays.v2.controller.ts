import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { placeOfReplay } from '../../deliveries/replays/replays.service.js';
import {
  DestinationReplayDto,
  DestinationReplayListDto,
  ReplayDestinationDto,
} from './destination-replay.dto.js';
import { presentDestinationReplay } from './destination-replay.presenter.js';
import { ListDestinationReplaysQuery } from './destination-replays.query.js';
import { DestinationReplaysService } from './destination-replays.service.js';

@ApiTags('Destination deliveries')
@Controller('v2/projects/:project_id/integrations/destinations/:destination_id')
export class DestinationReplaysV2Controller {
  constructor(private readonly replays: DestinationReplaysService) {}

  @Post('actions/replay')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'replayDestinationEvents',
    summary: 'Send events to a destination again',
    description:
      'Sends the failed and skipped deliveries, or all events that were not delivered, of a time range. At most 10,000 events. `send_from` of the destination does not apply.',
    created: DestinationReplayDto,
    errors: {
      422: 'The destination is paused, the range holds more than 10,000 events, or deliveries of the range are no longer kept.',
    },
  })
  async replay(
    @CurrentWrite() write: ProjectWrite,
    @Param('destination_id') integrationId: string,
    @Body() body: ReplayDestinationDto,
  ): Promise<DestinationReplayDto> {
    return presentDestinationReplay(await this.replays.request(write, integrationId, body));
  }

  @Get('replays')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listDestinationReplays',
    summary: 'List replays of a destination',
    description: 'The replays to a destination with their progress, newest first. Kept like deliveries.',
    ok: DestinationReplayListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('destination_id') integrationId: string,
    @Query() page: ListDestinationReplaysQuery,
    @Req() request: ApiRequest,
  ): Promise<DestinationReplayListDto> {
    const rows = await this.replays.page({ projectId, integrationId }, page);
    return listPage(request, page, rows, presentDestinationReplay, placeOfReplay);
  }

  @Get('replays/:destination_replay_id')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'getDestinationReplay',
    summary: 'Get a replay to a destination',
    description:
      'The progress of a replay: the current states of its deliveries, including retries. Deliveries that are no longer ' +
      'stored, or whose customer was deleted, only count in `queued`.',
    ok: DestinationReplayDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('destination_id') integrationId: string,
    @Param('destination_replay_id') id: string,
  ): Promise<DestinationReplayDto> {
    return presentDestinationReplay(await this.replays.get({ projectId, integrationId }, id));
  }
}
