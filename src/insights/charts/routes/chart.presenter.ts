import type { ChartAnswer } from '../answers/answer.model.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { ChartDataDto } from './chart.dto.js';

const MS_PER_SECOND = 1000;

type Values = Pick<ChartDataDto, 'values' | 'summary' | 'measures' | 'segments' | 'yaxis' | 'periods'>;

function presentValues(answer: ChartAnswer): Values {
  if (answer.form === 'table') {
    return {
      yaxis: answer.periods[1]?.unit ?? '#',
      values: answer.values.map(({ cohort, period, value, incomplete }) => ({
        cohort: typeof cohort === 'number' ? cohort / MS_PER_SECOND : cohort,
        period,
        value,
        incomplete,
      })),
      summary: null,
      measures: [],
      segments: null,
      periods: answer.periods.map(({ name, unit, scale }) => ({ display_name: name, unit, scale })),
    };
  }
  const isSegmented = answer.segments !== null;
  return {
    yaxis: answer.measures[0]?.unit ?? '#',
    values: answer.values.map(({ bucketMs, measure, segment, value, incomplete }) => ({
      cohort: bucketMs / MS_PER_SECOND,
      measure,
      ...(isSegmented ? { segment } : {}),
      value,
      incomplete,
    })),
    summary: answer.summary,
    measures: answer.measures.map(({ id, name, description, unit, precision }) => ({
      id,
      display_name: name,
      description,
      unit,
      decimal_precision: precision,
      chartable: true,
      tabulable: true,
    })),
    segments:
      answer.segments?.map(({ id, name, isTotal, isOther }) => ({
        id,
        display_name: name,
        is_total: isTotal,
        is_other: isOther,
        chartable: !isTotal,
        tabulable: true,
      })) ?? null,
  };
}

export function presentChart(question: ChartQuestion, answer: ChartAnswer): ChartDataDto {
  const { chart, calendar, startMs, endMs, currency, selected, segment, limitSegments } = question;
  return {
    object: 'chart_data',
    category: chart.category,
    display_type: chart.display,
    display_name: chart.name,
    description: `${chart.description} ${chart.formula}.`,
    documentation_link: null,
    last_computed_at: answer.lastComputedAtMs,
    start_date: startMs,
    end_date: endMs,
    yaxis_currency: currency,
    filtering_allowed: true,
    segmenting_allowed: chart.segments.length > 0,
    resolution: calendar.resolution,
    ...presentValues(answer),
    segments_limit: segment === null ? null : limitSegments,
    user_selectors: chart.selectors.length === 0 ? null : selected,
    unsupported_params: null,
    ...(question.includeAnnotations ? { annotations: [] } : {}),
  };
}
