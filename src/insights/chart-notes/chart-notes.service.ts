import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { readDay } from '../charts/question/read-question.js';
import type { CreateChartNoteDto, UpdateChartNoteDto } from './chart-note.dto.js';
import type { ChartNote } from './chart-note.entity.js';
import { ChartNotesRepository } from './chart-notes.repository.js';

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Notes on days, which charts show. */
@Injectable()
export class ChartNotesService {
  constructor(
    private readonly repository: ChartNotesRepository,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 400 for a day that does not exist */
  async create(write: ProjectWrite, { date, text }: CreateChartNoteDto): Promise<ChartNote> {
    readDay('date', date);
    return this.writes.run(write, async (tx) => {
      const nowMs = tx.nowMs();
      const note: ChartNote = {
        projectId: write.projectId,
        id: newId('chartNote', nowMs),
        date,
        text,
        createdAt: new Date(nowMs),
      };
      await this.repository.insert(tx, note);
      await tx.audit({ action: 'created', target: 'chart_note', targetId: note.id });
      return note;
    });
  }

  /** @throws ApiError 400 for a day that does not exist, 404 */
  async update(write: ProjectWrite, id: string, body: UpdateChartNoteDto): Promise<ChartNote> {
    if (body.date !== undefined) readDay('date', body.date);
    return this.writes.run(write, async (tx) => {
      const present = await this.repository.find(write.projectId, id, tx);
      if (!present) throw ApiError.missing('chart_note', id);
      const { date = present.date, text = present.text } = body;
      const note = { ...present, date, text };
      await this.repository.update(tx, note);
      await tx.audit({
        action: 'updated',
        target: 'chart_note',
        targetId: id,
        data: auditChanges(present, note, ['date', 'text']),
      });
      return note;
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, id: string): Promise<number> {
    return this.writes.run(write, async (tx) => {
      if (!(await this.repository.delete(tx, write.projectId, id))) throw ApiError.missing('chart_note', id);
      await tx.audit({ action: 'deleted', target: 'chart_note', targetId: id });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<ChartNote> {
    const note = await this.repository.find(projectId, id);
    if (!note) throw ApiError.missing('chart_note', id);
    return note;
  }

  page(
    projectId: string,
    { start, end }: { start: Date | null; end: Date | null },
    page: PageRequest,
  ): Promise<ChartNote[]> {
    const days = { start: start ? dayOf(start) : FIRST_DAY, end: end ? dayOf(end) : LAST_DAY };
    return this.repository.page(projectId, days, page);
  }
}
