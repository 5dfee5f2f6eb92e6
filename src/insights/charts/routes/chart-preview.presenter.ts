import type { AnswerMeasure, ChartAnswer, SeriesAnswer, SummaryRow } from '../answers/answer.model.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { ChartPreviewDto } from './chart-preview.dto.js';

const sums = ['movement', 'total', 'new_paid_subscriptions'];

const isRatio = ({ id, unit }: AnswerMeasure): boolean => unit === '%' || id.startsWith('realized_ltv_per');

/** Returns the index of the measure that represents a chart: the sum of its parts, its ratio, or the first one. */
function mainMeasure(measures: readonly AnswerMeasure[]): number {
  const sum = measures.findIndex(({ id }) => sums.includes(id));
  return Math.max(0, sum >= 0 ? sum : measures.findIndex(isRatio));
}

type Figures = Pick<ChartPreviewDto, 'measure' | 'unit' | 'value_of' | 'value' | 'values'>;

function seriesFigures({ chart }: ChartQuestion, answer: SeriesAnswer): Figures {
  const index = mainMeasure(answer.measures);
  const measure = answer.measures[index];
  const isState = chart.table === 'status' || (chart.table === 'series' && chart.time === 'stock');
  // The denominator of a ratio is the first measure.
  const empty = new Set(
    measure && isRatio(measure)
      ? answer.values.filter((one) => one.measure === 0 && one.value === 0).map(({ bucketMs }) => bucketMs)
      : [],
  );
  const values = answer.values
    .filter((one) => one.measure === index)
    .map(({ bucketMs, value, incomplete }) => ({
      date: new Date(bucketMs).toISOString().slice(0, 10),
      value: empty.has(bucketMs) ? null : value,
      incomplete,
    }));
  const summaryOf = (part: 'total' | 'average') =>
    (answer.summary[part] as SummaryRow | undefined)?.[measure?.name ?? ''];
  const total = summaryOf('total');
  // Customers who were active on several days cannot be added up.
  const valueOf = isState ? 'latest' : total === undefined ? 'average' : 'total';
  const figures = { latest: values.at(-1)?.value, total, average: summaryOf('average') };
  return {
    measure: measure?.name ?? null,
    unit: measure?.unit ?? null,
    value_of: valueOf,
    value: figures[valueOf] ?? null,
    values,
  };
}

const noFigures: Figures = { measure: null, unit: null, value_of: 'total', value: null, values: [] };

/** Presents a chart with one figure and one value for each bucket. */
export function presentPreview(question: ChartQuestion, answer: ChartAnswer | null): ChartPreviewDto {
  const { chart, calendar, askedStartMs, endMs, currency } = question;
  return {
    object: 'chart_preview',
    id: chart.id,
    display_name: chart.name,
    description: chart.about,
    category: chart.category,
    display_type: chart.display,
    ...(answer?.form === 'series' ? seriesFigures(question, answer) : noFigures),
    currency,
    resolution: calendar.resolution,
    start_date: new Date(askedStartMs).toISOString().slice(0, 10),
    end_date: new Date(endMs).toISOString().slice(0, 10),
    last_computed_at: answer?.lastComputedAtMs ?? null,
  };
}
