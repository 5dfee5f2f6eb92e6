import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import {
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import { Anonymous, RequireAccountSession } from '../../../platform/auth/access.js';
import { CurrentPrincipal } from '../../../platform/auth/current-principal.js';
import { AccountErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { LinkCheckLimitGuard } from '../links/link-check-limit.guard.js';
import { AcceptedInviteDto, presentShownInvite, ShownInviteDto } from './account-invite.dto.js';
import { AccountInvitesService } from './account-invites.service.js';

const NotOpen = () =>
  ApiNotFoundResponse({
    type: AccountErrorDto,
    description: 'The link is unknown, replaced, expired, accepted or revoked.',
  });

@ApiTags('Invites')
@Controller('auth/invites/:token')
export class AccountInvitesController {
  constructor(private readonly invites: AccountInvitesService) {}

  @Get()
  @Anonymous()
  @UseGuards(LinkCheckLimitGuard)
  @ApiOperation({
    operationId: 'getInvite',
    summary: 'Look up an invite by its link',
    description: 'The project, role and sender of an invite. The link stays usable.',
  })
  @ApiOkResponse({ type: ShownInviteDto })
  @NotOpen()
  @ApiTooManyRequestsResponse({ type: AccountErrorDto, description: 'More than 60 links a minute.' })
  async get(@Param('token') token: string): Promise<ShownInviteDto> {
    return presentShownInvite(await this.invites.get(token));
  }

  @Post('accept')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'acceptInvite',
    summary: 'Accept an invite',
    description:
      'Adds the signed-in user to the project and confirms their email address. Existing members keep their role.',
  })
  @ApiOkResponse({ type: AcceptedInviteDto })
  @ApiForbiddenResponse({
    type: AccountErrorDto,
    description: 'The invite is for another email address, or the request comes from another site.',
  })
  @NotOpen()
  async accept(
    @Param('token') token: string,
    @CurrentPrincipal() { userId }: SessionPrincipal,
  ): Promise<AcceptedInviteDto> {
    return { ok: true, project_id: await this.invites.accept(token, userId) };
  }
}
