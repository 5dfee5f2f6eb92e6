import { createHash } from 'node:crypto';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { definitions } from '../../../../libs/destinations/index.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { completeList, listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { DestinationStateListDto } from './destination-state.dto.js';
import { presentDestinationState } from './destination-state.presenter.js';
import { DestinationStatesService } from './destination-states.service.js';
import { DestinationTypeListDto } from './destination-type.dto.js';
import { presentDestinationType } from './destination-type.presenter.js';
import { DestinationsService } from './destinations.service.js';

const types = definitions.map(presentDestinationType);
const version = `"${createHash('sha256').update(JSON.stringify(types)).digest('base64url')}"`;

@ApiTags('Destinations')
@Controller('v2/projects/:project_id/integrations')
export class DestinationOverviewV2Controller {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly states: DestinationStatesService,
  ) {}

  @Get('destination_types')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listDestinationTypes',
    summary: 'List types of destinations',
    description:
      'The tools that can receive events, with their settings and events, in one page. The answer has an `ETag`.',
    ok: DestinationTypeListDto,
  })
  @ApiResponse({ status: 304, description: 'The caller already has this answer (`If-None-Match`).' })
  listTypes(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): DestinationTypeListDto {
    // Express answers 304 if the tag is that of the request.
    response.setHeader('ETag', version);
    response.setHeader('Cache-Control', 'private, no-cache');
    return completeList(request, types);
  }

  @Get('destination_states')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listDestinationStates',
    summary: 'List the state of destinations',
    description:
      'The state of each destination, oldest first: whether it is enabled, whether its tool fails or refuses the key, and how many deliveries arrived, failed, wait or are not sent.',
    ok: DestinationStateListDto,
  })
  async listStates(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<DestinationStateListDto> {
    const rows = await this.destinations.page(projectId, null, page);
    const states = await this.states.of(projectId, rows);
    return listPage(request, page, states, presentDestinationState, ({ integration }) =>
      placeByCreation(integration),
    );
  }
}
