import type { ChartNoteDto } from './chart-note.dto.js';
import type { ChartNote } from './chart-note.entity.js';

export function presentChartNote({ id, date, text, createdAt }: ChartNote): ChartNoteDto {
  return { object: 'chart_note', id, date, text, created_at: createdAt.getTime() };
}
