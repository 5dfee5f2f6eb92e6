import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  ChartNoteDto,
  ChartNoteListDto,
  CreateChartNoteDto,
  DeletedChartNoteDto,
  ListChartNotesQuery,
  UpdateChartNoteDto,
} from './chart-note.dto.js';
import { presentChartNote } from './chart-note.presenter.js';
import { ChartNotesService } from './chart-notes.service.js';

@ApiTags('Charts')
@Controller('v2/projects/:project_id/chart_notes')
export class ChartNotesController {
  constructor(private readonly notes: ChartNotesService) {}

  @Get()
  @V2Route({
    permission: 'charts_metrics:charts:read',
    operationId: 'listChartNotes',
    summary: 'List notes on days',
    description: 'Notes on days, such as releases and changes of prices, in the order of their creation.',
    ok: ChartNoteListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListChartNotesQuery,
    @Req() request: ApiRequest,
  ): Promise<ChartNoteListDto> {
    const days = { start: query.start_date, end: query.end_date };
    const rows = await this.notes.page(projectId, days, query);
    return listPage(request, query, rows, presentChartNote, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'createChartNote',
    summary: 'Create a note on a day',
    description: 'Creates a note that the dashboard shows on every chart by time.',
    created: ChartNoteDto,
  })
  async create(@CurrentWrite() write: ProjectWrite, @Body() body: CreateChartNoteDto): Promise<ChartNoteDto> {
    return presentChartNote(await this.notes.create(write, body));
  }

  @Get(':chart_note_id')
  @V2Route({
    permission: 'charts_metrics:charts:read',
    operationId: 'getChartNote',
    summary: 'Get a note on a day',
    description: 'A note on a day, which every chart by time shows.',
    ok: ChartNoteDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('chart_note_id') id: string,
  ): Promise<ChartNoteDto> {
    return presentChartNote(await this.notes.get(projectId, id));
  }

  @Post(':chart_note_id')
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'updateChartNote',
    summary: 'Change a note on a day',
    description: 'Changes the day or the text of a note.',
    ok: ChartNoteDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('chart_note_id') id: string,
    @Body() body: UpdateChartNoteDto,
  ): Promise<ChartNoteDto> {
    return presentChartNote(await this.notes.update(write, id, body));
  }

  @Delete(':chart_note_id')
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'deleteChartNote',
    summary: 'Delete a note on a day',
    description: 'Deletes a note. Charts no longer show it.',
    ok: DeletedChartNoteDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('chart_note_id') id: string,
  ): Promise<DeletedChartNoteDto> {
    return { object: 'chart_note', id, deleted_at: await this.notes.delete(write, id) };
  }
}
