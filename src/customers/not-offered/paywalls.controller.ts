import { Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/http/api-error.js';
import { EmptyListDto, emptyList } from './empty-list.js';
import { V2ErrorDto } from '../../platform/http/error.dto.js';
import { PageQuery } from '../../platform/http/page-query.js';
import type { ApiRequest } from '../../platform/http/request.js';

/** Paywalls made in a dashboard. There are none here: apps show offerings with screens of their own. */
@ApiTags('Paywalls')
@Controller('v2/projects/:project_id/paywalls')
export class PaywallsController {
  @Get()
  @RequirePermission('project_configuration:offerings:read')
  @ApiOperation({
    operationId: 'listPaywalls',
    summary: 'List paywalls (none)',
    description: 'Apps show offerings with their own screens: the list is always empty.',
  })
  @ApiOkResponse({ type: EmptyListDto })
  list(@Query() page: PageQuery, @Req() request: ApiRequest): EmptyListDto {
    return emptyList(request, page);
  }

  @Post()
  @RequirePermission('project_configuration:offerings:read_write')
  @ApiOperation({
    operationId: 'createPaywall',
    summary: 'Create a paywall (refused)',
    description: 'Apps show offerings with their own screens: the answer is always 422.',
  })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto })
  create(): never {
    throw new ApiError(
      'impossible',
      'This server has no paywalls: show the offering with a screen of the app.',
    );
  }

  @Get(':paywall_id')
  @RequirePermission('project_configuration:offerings:read')
  @ApiOperation({
    operationId: 'getPaywall',
    summary: 'Get a paywall (none)',
    description: 'Apps show offerings with their own screens: the answer is always 404.',
  })
  get(@Param('paywall_id') paywallId: string): never {
    throw ApiError.missing('paywall', paywallId);
  }

  @Delete(':paywall_id')
  @RequirePermission('project_configuration:offerings:read_write')
  @ApiOperation({
    operationId: 'deletePaywall',
    summary: 'Delete a paywall (none)',
    description: 'Apps show offerings with their own screens: the answer is always 404.',
  })
  delete(@Param('paywall_id') paywallId: string): never {
    throw ApiError.missing('paywall', paywallId);
  }
}
