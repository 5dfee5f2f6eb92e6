import type { AveragedOver, ChartAnswer } from '../answers/answer.model.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { ChartDataDto } from './chart.dto.js';

const MS_PER_SECOND = 1000;

type Values = Pick<
  ChartDataDto,
  'values' | 'summary' | 'averaged_over' | 'measures' | 'segments' | 'yaxis' | 'periods'
>;

function presentAveraged(averaged: AveragedOver | null): ChartDataDto['averaged_over'] {
  if (averaged === null) return null;
  const { buckets, firstMs, lastMs } = averaged;
  return { buckets, first: firstMs / MS_PER_SECOND, last: lastMs / MS_PER_SECOND };
}

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
      averaged_over: null,
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
    averaged_over: presentAveraged(answer.averagedOver),
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
  const { chart, calendar, askedStartMs, endMs, currency, selected, segment, limitSegments } = question;
  return {
    object: 'chart_data',
    category: chart.category,
    display_type: chart.display,
    display_name: chart.name,
    description: `${chart.description} ${chart.formula}.`,
    documentation_link: null,
    last_computed_at: answer.lastComputedAtMs,
    start_date: askedStartMs / MS_PER_SECOND,
    end_date: endMs / MS_PER_SECOND,
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
