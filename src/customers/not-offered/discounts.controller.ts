import { Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/http/api-error.js';
import { EmptyListDto, emptyList } from './empty-list.js';
import { V2ErrorDto } from '../../platform/http/error.dto.js';
import { PageQuery } from '../../platform/http/page-query.js';
import type { ApiRequest } from '../../platform/http/request.js';

function refuse(): never {
  throw new ApiError(
    'impossible',
    'Discounts belong to web billing, which this server does not offer; set them up in the store.',
  );
}

/** Discounts of web billing. There are none here and none can be made. */
@ApiTags('Discounts')
@Controller('v2/projects/:project_id/discounts')
export class DiscountsController {
  @Get()
  @RequirePermission('project_configuration:discounts:read')
  @ApiOperation({
    operationId: 'listDiscounts',
    summary: 'List discounts (none)',
    description:
      'Discounts belong to web billing, which this server does not offer: the list is always empty.',
  })
  @ApiOkResponse({ type: EmptyListDto })
  list(@Query() page: PageQuery, @Req() request: ApiRequest): EmptyListDto {
    return emptyList(request, page);
  }

  @Get(':discount_id')
  @RequirePermission('project_configuration:discounts:read')
  @ApiOperation({
    operationId: 'getDiscount',
    summary: 'Get a discount (none)',
    description:
      'Discounts belong to web billing, which this server does not offer: the answer is always 404.',
  })
  get(@Param('discount_id') discountId: string): never {
    throw ApiError.missing('discount', discountId);
  }

  @Post()
  @RequirePermission('project_configuration:discounts:read_write')
  @ApiOperation({
    operationId: 'createDiscount',
    summary: 'Create a discount (refused)',
    description:
      'Discounts belong to web billing, which this server does not offer: the answer is always 422. Set discounts up in the store.',
  })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto })
  create(): never {
    return refuse();
  }

  @Post(':discount_id')
  @RequirePermission('project_configuration:discounts:read_write')
  @ApiOperation({
    operationId: 'updateDiscount',
    summary: 'Change a discount (refused)',
    description:
      'Discounts belong to web billing, which this server does not offer: the answer is always 422. Set discounts up in the store.',
  })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto })
  update(): never {
    return refuse();
  }

  @Delete(':discount_id')
  @RequirePermission('project_configuration:discounts:read_write')
  @ApiOperation({
    operationId: 'deleteDiscount',
    summary: 'Delete a discount (refused)',
    description:
      'Discounts belong to web billing, which this server does not offer: the answer is always 422. Set discounts up in the store.',
  })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto })
  delete(): never {
    return refuse();
  }

  @Post(':discount_id/actions/archive')
  @RequirePermission('project_configuration:discounts:read_write')
  @ApiOperation({
    operationId: 'archiveDiscount',
    summary: 'Archive a discount (refused)',
    description:
      'Discounts belong to web billing, which this server does not offer: the answer is always 422. Set discounts up in the store.',
  })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto })
  archive(): never {
    return refuse();
  }

  @Post(':discount_id/actions/unarchive')
  @RequirePermission('project_configuration:discounts:read_write')
  @ApiOperation({
    operationId: 'unarchiveDiscount',
    summary: 'Unarchive a discount (refused)',
    description:
      'Discounts belong to web billing, which this server does not offer: the answer is always 422. Set discounts up in the store.',
  })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto })
  unarchive(): never {
    return refuse();
  }
}
