import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { ListedLinksService } from './listed-links.service.js';
import { CreateRedemptionLinkDto, RedemptionLinkDto, RedemptionLinkListDto } from './redemption-link.dto.js';
import { presentRedemptionLink } from './redemption-link.presenter.js';
import { RedemptionLinksService } from './redemption-links.service.js';

@ApiTags('Web purchases')
@Controller('v2/projects/:project_id')
export class RedemptionLinksController {
  constructor(
    private readonly links: RedemptionLinksService,
    private readonly listed: ListedLinksService,
  ) {}

  @Post('redemption_links')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'createRedemptionLink',
    summary: 'Create a redemption link',
    description:
      'Creates a link that redeems a purchase of Stripe or Paddle in an app. It works once; earlier links for the same purchase stop working. Only this response contains its addresses.',
    created: RedemptionLinkDto,
    errors: {
      422: 'The purchase was not made on the web, has ended, or has had ten links within a day; redemption is off for its environment; there is no address or no mail server to mail to; or the project has no app.',
    },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateRedemptionLinkDto,
  ): Promise<RedemptionLinkDto> {
    const { row, redeemUrl, pageUrl } = await this.links.create(write, body);
    return { ...this.present(row), redeem_url: redeemUrl, redeem_url_redirect: pageUrl };
  }

  @Get('redemption_links/:link_id')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'getRedemptionLink',
    summary: 'Get a redemption link',
    description: 'A link without its addresses. Links are kept for 90 days after they expire.',
    ok: RedemptionLinkDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('link_id') id: string,
  ): Promise<RedemptionLinkDto> {
    return this.present(await this.listed.get(projectId, id));
  }

  @Get('customers/:customer_id/redemption_links')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listCustomerRedemptionLinks',
    summary: 'List the redemption links of a customer',
    description: 'Links for purchases of the customer, and links that the customer redeemed; newest first.',
    ok: RedemptionLinkListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('customer_id') appUserId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<RedemptionLinkListDto> {
    const rows = await this.listed.page(projectId, appUserId, page);
    return listPage(request, page, rows, (row) => this.present(row), placeByCreation);
  }

  @Post('redemption_links/:link_id/actions/revoke')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'revokeRedemptionLink',
    summary: 'Revoke a redemption link',
    description: 'Revokes a link at once. A mail with it that has not been sent yet is dropped.',
    ok: RedemptionLinkDto,
    errors: { 422: 'The link has been redeemed.' },
  })
  async revoke(
    @CurrentWrite() write: ProjectWrite,
    @Param('link_id') id: string,
  ): Promise<RedemptionLinkDto> {
    return this.present(await this.listed.revoke(write, id));
  }

  @Post('redemption_links/:link_id/actions/resend')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'resendRedemptionLink',
    summary: 'Mail a redemption link again',
    description:
      'Mails a new link for the same purchase to the address of this one, and answers with the new link. The old one is replaced: tokens are not stored.',
    ok: { type: RedemptionLinkDto, description: 'The new link, without its addresses.' },
    errors: { 422: 'The link was redeemed or revoked, or as for a new link.' },
  })
  async resend(
    @CurrentWrite() write: ProjectWrite,
    @Param('link_id') id: string,
  ): Promise<RedemptionLinkDto> {
    const link = await this.listed.get(write.projectId, id);
    return this.present(await this.links.resend(write, link, this.listed.nowMs()));
  }

  private present(row: Parameters<typeof presentRedemptionLink>[0]): RedemptionLinkDto {
    return presentRedemptionLink(row, this.listed.nowMs());
  }
}
