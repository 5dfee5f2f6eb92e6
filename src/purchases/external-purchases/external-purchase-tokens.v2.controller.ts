import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  BindExternalPurchaseTokenDto,
  CreateExternalPurchaseTokenDto,
  ExternalPurchaseTokenDto,
  ExternalPurchaseTokenListDto,
  ListExternalPurchaseTokensQuery,
  presentExternalToken,
} from './external-purchase-token.dto.js';
import { ExternalPurchaseBindingsService, type NamedPurchase } from './external-purchase-bindings.service.js';
import { ExternalPurchaseTokensService } from './external-purchase-tokens.service.js';

@ApiTags('Outside purchases')
@Controller('v2/projects/:project_id')
export class ExternalPurchaseTokensV2Controller {
  constructor(
    private readonly tokens: ExternalPurchaseTokensService,
    private readonly bindings: ExternalPurchaseBindingsService,
  ) {}

  @Post('customers/:customer_id/external_purchase_tokens')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'createExternalPurchaseToken',
    summary: 'Store a token of a purchase outside a store',
    description:
      'Stores a token that Apple or Google issued to an app for a purchase outside the store. A known token of the customer is returned unchanged.',
    created: ExternalPurchaseTokenDto,
    errors: { 409: 'The token belongs to another customer.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') appUserId: string,
    @Body() { app_id: appId, store, token, kind = null }: CreateExternalPurchaseTokenDto,
  ): Promise<ExternalPurchaseTokenDto> {
    return presentExternalToken(await this.tokens.add(write, { appUserId, appId, store, token, kind }));
  }

  @Get('external_purchase_tokens')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listExternalPurchaseTokens',
    summary: 'List tokens of purchases outside a store',
    description:
      'The tokens of a project, newest first. None of them contains the token of the store itself.',
    ok: ExternalPurchaseTokenListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListExternalPurchaseTokensQuery,
    @Req() request: ApiRequest,
  ): Promise<ExternalPurchaseTokenListDto> {
    const { state, app_id: appId, customer_id: customer } = query;
    const rows = await this.tokens.page(projectId, { state, appId, customer }, query);
    return listPage(request, query, rows, presentExternalToken, placeByCreation);
  }

  @Get('external_purchase_tokens/:external_purchase_token_id')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'getExternalPurchaseToken',
    summary: 'Get a token of a purchase outside a store',
    description: 'What is known about a token. The token of the store itself stays on the server.',
    ok: ExternalPurchaseTokenDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('external_purchase_token_id') id: string,
  ): Promise<ExternalPurchaseTokenDto> {
    return presentExternalToken(await this.tokens.get(projectId, id));
  }

  @Post('external_purchase_tokens/:external_purchase_token_id/actions/bind')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'bindExternalPurchaseToken',
    summary: 'Bind a purchase to a token',
    description:
      'Binds a purchase at Stripe or Paddle to the token that its customer received before it. A purchase that is bound already takes another token only while a report waits for one, or if the store refused the former one.',
    ok: ExternalPurchaseTokenDto,
    errors: {
      409: 'The purchase is bound already, belongs to another customer, or is older than the token by more than a day; or the token cannot be used.',
    },
  })
  async bind(
    @CurrentWrite() write: ProjectWrite,
    @Param('external_purchase_token_id') id: string,
    @Body() body: BindExternalPurchaseTokenDto,
  ): Promise<ExternalPurchaseTokenDto> {
    return presentExternalToken(await this.bindings.bind(write, id, purchaseIn(body)));
  }
}

/** @throws ApiError 400 unless it names exactly one purchase */
function purchaseIn({
  subscription_id: subscriptionId,
  purchase_id: purchaseId,
}: BindExternalPurchaseTokenDto): NamedPurchase {
  if (subscriptionId !== undefined && purchaseId !== undefined) {
    throw ApiError.parameter('purchase_id', 'Use either subscription_id or purchase_id.');
  }
  if (subscriptionId !== undefined) return { kind: 'subscription', id: subscriptionId };
  if (purchaseId !== undefined) return { kind: 'purchase', id: purchaseId };
  throw ApiError.parameter('subscription_id', 'subscription_id or purchase_id is required.');
}
