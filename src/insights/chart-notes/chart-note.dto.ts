import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { DayParameter } from '../../platform/http/lists/query-parameters.js';

const MAX_TEXT = 200;
const dateText = { min: 10, max: 10, description: 'A UTC day, `YYYY-MM-DD`.', example: '2026-03-01' };

@BodyExample({ date: '2026-03-01', text: 'Price of the yearly plan raised' })
export class CreateChartNoteDto {
  @StringField(dateText)
  date: string;

  @StringField({ min: 1, max: MAX_TEXT, description: 'What happened on the day.' })
  text: string;
}

@BodyExample({ text: 'Price of the yearly plan raised to 79.99' })
export class UpdateChartNoteDto {
  @StringField({ ...dateText, optional: true })
  date?: string;

  @StringField({ min: 1, max: MAX_TEXT, optional: true, description: 'What happened on the day.' })
  text?: string;
}

export class ChartNoteDto {
  @ApiProperty({ enum: ['chart_note'] })
  object: 'chart_note';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String, example: '2026-03-01', description: 'A UTC day.' })
  date: string;

  @ApiProperty({ type: String, example: 'Price of the yearly plan raised' })
  text: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class ChartNoteListDto extends listOf(ChartNoteDto) {}

export class DeletedChartNoteDto extends deletedOf('chart_note') {}

export class ListChartNotesQuery extends PageQuery {
  @DayParameter({ description: 'Only notes on this day or later.', example: '2026-01-01' })
  start_date: Date | null;

  @DayParameter({ description: 'Only notes on this day or earlier.', example: '2026-12-31' })
  end_date: Date | null;
}
