import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { type Author, authorOf } from '../../platform/principal/author.js';
import type { Principal } from '../../platform/principal/principal.js';
import {
  CustomerNoteDto,
  CustomerNoteListDto,
  DeletedCustomerNoteDto,
  WriteCustomerNoteDto,
} from './customer-note.dto.js';
import { presentNote } from './customer-note.presenter.js';
import { CustomerNotesService } from './customer-notes.service.js';

function authorBehind(principal: Principal): Author {
  const author = authorOf(principal);
  if (!author) throw new ApiError('forbidden', 'Only a secret key or a signed-in user can write notes.');
  return author;
}

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id/notes')
export class CustomerNotesController {
  constructor(private readonly notes: CustomerNotesService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listCustomerNotes',
    summary: 'List notes on a customer',
    description: 'What the team wrote about a customer, newest first.',
    ok: CustomerNoteListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Param('customer_id') appUserId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<CustomerNoteListDto> {
    const rows = await this.notes.page(projectId, appUserId, page);
    return listPage(request, page, rows, presentNote, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'createCustomerNote',
    summary: 'Add a note on a customer',
    description: 'Adds a note for the team. It is erased with the customer.',
    created: CustomerNoteDto,
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() principal: Principal,
    @Param('customer_id') appUserId: string,
    @Body() { text }: WriteCustomerNoteDto,
  ): Promise<CustomerNoteDto> {
    return presentNote(await this.notes.create(write, appUserId, text, authorBehind(principal)));
  }

  @Get(':note_id')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'getCustomerNote',
    summary: 'Get a note on a customer',
    description: 'One note with its author and its time.',
    ok: CustomerNoteDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('customer_id') appUserId: string,
    @Param('note_id') id: string,
  ): Promise<CustomerNoteDto> {
    return presentNote(await this.notes.get(projectId, { appUserId, id }));
  }

  @Post(':note_id')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'updateCustomerNote',
    summary: 'Change a note on a customer',
    description: 'Replaces the text. Only the author can change a note.',
    ok: CustomerNoteDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @CurrentPrincipal() principal: Principal,
    @Param('customer_id') appUserId: string,
    @Param('note_id') id: string,
    @Body() { text }: WriteCustomerNoteDto,
  ): Promise<CustomerNoteDto> {
    return presentNote(await this.notes.edit(write, { appUserId, id }, text, authorBehind(principal)));
  }

  @Delete(':note_id')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'deleteCustomerNote',
    summary: 'Delete a note on a customer',
    description:
      'Deletes a note, also one of another author. The audit log names who deleted it and not the text.',
    ok: DeletedCustomerNoteDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') appUserId: string,
    @Param('note_id') id: string,
  ): Promise<DeletedCustomerNoteDto> {
    const deletedAtMs = await this.notes.delete(write, { appUserId, id });
    return { object: 'customer_note', id, deleted_at: deletedAtMs };
  }
}
