import { utcDay } from '../../../../libs/kernel/index.js';
import { csvLine, type CsvCell } from '../../../platform/http/lists/csv.js';
import type {
  ChartAnswer,
  SeriesAnswer,
  SummaryPart,
  SummaryRow,
  TableAnswer,
} from '../answers/answer.model.js';
import type { ChartQuestion } from '../question/chart-question.js';

const MAX_LINES = 100_000;

function measureName({ name, unit }: { name: string; unit: string }, { currency }: ChartQuestion): string {
  return unit === '$' ? `${name} (${currency})` : name;
}

function* series(question: ChartQuestion, answer: SeriesAnswer): Generator<readonly CsvCell[]> {
  const { measures, segments, values } = answer;
  const names = measures.map((measure) => measureName(measure, question));
  yield ['date', ...(segments ? ['segment'] : []), 'incomplete', ...names];
  for (let index = 0; index < values.length; index += measures.length) {
    const row = values.slice(index, index + measures.length);
    const [first] = row;
    if (!first) continue;
    const segment = segments ? [segments[first.segment]?.name ?? ''] : [];
    yield [utcDay(first.bucketMs), ...segment, first.incomplete, ...row.map(({ value }) => value)];
  }
}

function cellsOf(part: SummaryRow, { measures }: SeriesAnswer): CsvCell[] {
  return measures.map(({ name }) => part[name] ?? '');
}

/** One line per operation, and per segment if there are any. */
function* aggregates(question: ChartQuestion, answer: SeriesAnswer): Generator<readonly CsvCell[]> {
  const { measures, segments, summary } = answer;
  const names = measures.map((measure) => measureName(measure, question));
  yield ['aggregate', ...(segments ? ['segment'] : []), ...names];
  for (const [name, part] of Object.entries<SummaryPart>(summary)) {
    if (!segments) yield [name, ...cellsOf(part as SummaryRow, answer)];
    else
      for (const [segment, row] of Object.entries(part as Record<string, SummaryRow>))
        yield [name, segment, ...cellsOf(row, answer)];
  }
}

function* table(question: ChartQuestion, answer: TableAnswer): Generator<readonly CsvCell[]> {
  const { periods, values } = answer;
  const names = periods.map((period) => measureName(period, question));
  yield ['cohort', ...names, 'incomplete_from'];
  const cohorts = [...new Set(values.map(({ cohort }) => cohort))];
  for (const cohort of cohorts) {
    const row = new Map(
      values.filter((value) => value.cohort === cohort).map((value) => [value.period, value]),
    );
    const open = [...row.values()].find(({ incomplete }) => incomplete);
    yield [
      typeof cohort === 'number' ? utcDay(cohort) : cohort,
      ...periods.map((_, index) => row.get(index)?.value ?? ''),
      open ? (periods[open.period]?.name ?? '') : '',
    ];
  }
}

/** RFC 4180 lines in UTF-8, without a byte order mark. */
export function* csvLines(question: ChartQuestion, answer: ChartAnswer): Generator<string> {
  const rows =
    answer.form === 'table'
      ? table(question, answer)
      : question.aggregate === null
        ? series(question, answer)
        : aggregates(question, answer);
  let lines = 0;
  for (const row of rows) {
    if (lines++ > MAX_LINES) return;
    yield csvLine(row);
  }
}

export function csvName({ chart, askedStartMs, endMs, calendar }: ChartQuestion): string {
  return `${chart.id}_${utcDay(askedStartMs)}_${utcDay(endMs)}_${calendar.resolution}.csv`;
}
