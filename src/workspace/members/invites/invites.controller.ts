import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { RequireProjectAdmin, RequireSession } from '../../../platform/auth/access.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { CurrentPrincipal } from '../../../platform/auth/current-principal.js';
import { V2ErrorDto } from '../../../platform/http/errors/error.dto.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { CreateInviteDto, DeletedInviteDto, InviteListDto, SentInviteDto } from './invite.dto.js';
import { presentInvite } from './invite.presenter.js';
import { InvitesService, type SentInvite } from './invites.service.js';

const TooManyInvites = () =>
  ApiTooManyRequestsResponse({
    type: V2ErrorDto,
    description: 'The project has sent 50 invites within a day, repeated ones included.',
  });

@ApiTags('Invites')
@Controller('v2/projects/:project_id/invites')
export class InvitesController {
  constructor(private readonly invites: InvitesService) {}

  @Get()
  @RequireSession('project_configuration:collaborators:read')
  @V2Route({
    operationId: 'listInvites',
    summary: 'List invites',
    description: 'The open invites of the project, oldest first. Expired ones stay until they are revoked.',
    ok: InviteListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<InviteListDto> {
    const rows = await this.invites.page(projectId, page);
    const present = (row: (typeof rows)[number]) => presentInvite(row, request.receivedAtMs);
    return listPage(request, page, rows, present, placeByCreation);
  }

  @Post()
  @RequireProjectAdmin('project_configuration:collaborators:read_write')
  @V2Route({
    operationId: 'createInvite',
    summary: 'Invite a person',
    description:
      'Sends a mail with a link that is valid for 7 days. If the address has an open invite, that one gets the role and a new link, and its old link stops working.',
    created: SentInviteDto,
    errors: { 409: 'The person is already a member of the project.' },
  })
  @TooManyInvites()
  async create(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() { userId }: SessionPrincipal,
    @Body() body: CreateInviteDto,
    @Req() request: ApiRequest,
  ): Promise<SentInviteDto> {
    return this.sent(await this.invites.create(write, userId, body), request);
  }

  @Post(':invite_id/actions/resend')
  @V2Route({
    operationId: 'resendInvite',
    summary: 'Send an invite again',
    description:
      'Sends a new link that is valid for 7 days, also for an expired invite. The old link stops working.',
    ok: SentInviteDto,
  })
  @RequireProjectAdmin('project_configuration:collaborators:read_write')
  @TooManyInvites()
  async resend(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() { userId }: SessionPrincipal,
    @Param('invite_id') id: string,
    @Req() request: ApiRequest,
  ): Promise<SentInviteDto> {
    return this.sent(await this.invites.resend(write, userId, id), request);
  }

  @Delete(':invite_id')
  @RequireProjectAdmin('project_configuration:collaborators:read_write')
  @V2Route({
    operationId: 'deleteInvite',
    summary: 'Revoke an invite',
    description: 'Revokes an invite. Its link stops working at once.',
    ok: DeletedInviteDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('invite_id') id: string,
  ): Promise<DeletedInviteDto> {
    return { object: 'invite', id, deleted_at: await this.invites.revoke(write, id) };
  }

  private sent({ invite, emailSent }: SentInvite, { receivedAtMs }: ApiRequest): SentInviteDto {
    return { ...presentInvite(invite, receivedAtMs), email_sent: emailSent };
  }
}
