import { utcDayMs } from '../../../../libs/kernel/index.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { Chart, Selected } from '../definitions/chart.model.js';
import { dimensionAliases } from '../definitions/dimensions.js';
import { isOwnSegment, namesLike } from '../definitions/own-segments.js';
import { bucketsBetween, type Calendar, bucketOf, type Resolution, resolutions } from './buckets.js';
import { type Aggregate, type ChartQuestion, dimensionOf, type Filter } from './chart-question.js';
import type { WeekStart } from '../../../workspace/projects/project.entity.js';
import type { ChartQuery } from './charts.query.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const FIRST_DAY_MS = Date.UTC(2000, 0, 1);
const MAX_BUCKETS = 1_500;
const MAX_FILTERS = 20;
const MAX_VALUES = 200;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function fail(param: string, message: string): never {
  throw ApiError.parameter(param, message);
}

/** @throws ApiError 400 */
export function readDay(param: string, text: string): number {
  const dayMs = utcDayMs(text);
  if (!DAY.test(text) || Number.isNaN(dayMs) || !new Date(dayMs).toISOString().startsWith(text)) {
    return fail(param, `'${text}' is not a 'date'`);
  }
  return dayMs;
}

function parsed(param: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail(param, `${param} must be JSON.`);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readFilter(chart: Chart, entry: unknown): Filter {
  if (!isRecord(entry) || typeof entry.name !== 'string' || !Array.isArray(entry.values)) {
    return fail('filters', 'Each filter needs a name and an array of values.');
  }
  const { name, values } = entry as { name: string; values: unknown[] };
  const id = dimensionAliases[name] ?? name;
  const dimension = chart.filters.includes(id) ? dimensionOf(chart, id) : null;
  if (!dimension) {
    return fail(
      'filters',
      `The chart ${chart.id} has no filter ${JSON.stringify(name)}; use ${chart.filters.join(', ')}.`,
    );
  }
  if (values.length > MAX_VALUES) return fail('filters', `A filter can have at most ${MAX_VALUES} values.`);
  const texts = values.map((value) =>
    typeof value === 'string' ? value : fail('filters', 'Values of filters must be strings.'),
  );
  const unknown = dimension.values && texts.find((value) => !dimension.values?.includes(value));
  if (unknown !== undefined && unknown !== null) {
    return fail(
      'filters',
      `The filter ${name} cannot be ${JSON.stringify(unknown)}; use ${dimension.values?.join(', ')}.`,
    );
  }
  return { dimension, values: texts };
}

/** If a name occurs twice, the last one wins. */
function readFilters(chart: Chart, text: string | null): Filter[] {
  if (text === null) return [];
  const list = parsed('filters', text);
  if (!Array.isArray(list)) return fail('filters', 'filters must be a JSON array.');
  if (list.length > MAX_FILTERS) return fail('filters', `There can be at most ${MAX_FILTERS} filters.`);
  const filters = list.map((entry) => readFilter(chart, entry));
  return [...new Map(filters.map((filter) => [filter.dimension.id, filter])).values()];
}

function readSelectors(chart: Chart, text: string | null): Selected {
  const given = text === null ? {} : parsed('selectors', text);
  if (!isRecord(given)) return fail('selectors', 'selectors must be a JSON object.');
  const names = chart.selectors.map(({ id }) => id);
  const unknown = Object.keys(given).find((id) => !names.includes(id));
  if (unknown !== undefined) {
    const supported = names.length === 0 ? 'it has none' : `use ${names.join(', ')}`;
    return fail(
      'selectors',
      `The chart ${chart.id} has no selector ${JSON.stringify(unknown)}; ${supported}.`,
    );
  }
  return Object.fromEntries(
    chart.selectors.map(({ id, options }) => {
      const value = given[id] ?? options[0]?.id;
      if (typeof value === 'string' && options.some((option) => option.id === value)) return [id, value];
      const supported = options.map((option) => option.id).join(', ');
      return fail('selectors', `The selector ${id} cannot be ${JSON.stringify(value)}; use ${supported}.`);
    }),
  );
}

function readSegment(chart: Chart, name: string | null): ChartQuestion['segment'] {
  if (name === null) return null;
  if (chart.segments.length === 0) return fail('segment', `The chart ${chart.id} cannot be segmented.`);
  const id = dimensionAliases[name] ?? name;
  if (isOwnSegment(id) && chart.segments.includes(id)) return id;
  const dimension = chart.segments.includes(id) ? dimensionOf(chart, id) : null;
  return (
    dimension ??
    fail(
      'segment',
      `The chart ${chart.id} has no segment ${JSON.stringify(name)}; use ${chart.segments.join(', ')}.`,
    )
  );
}

/** Resolutions that a chart supports. */
export function resolutionsOf(chart: Chart): readonly Resolution[] {
  return chart.table === 'status' ? ['day'] : resolutions;
}

function readResolution(chart: Chart, text: string | null): Resolution {
  const isTable = chart.table === 'retention' || chart.table === 'explorer';
  if (text === null) return isTable ? 'month' : 'day';
  const known = resolutions.find((resolution, id) => text === resolution || text === String(id));
  // A snapshot has no buckets, so any resolution is valid.
  if (known && (chart.table === 'status' || resolutionsOf(chart).includes(known))) return known;
  return fail(
    'resolution',
    `resolution must be one of ${resolutions.join(', ')}, or 0 to ${resolutions.length - 1}.`,
  );
}

function readAggregate(chart: Chart, names: readonly string[] | null): ReadonlySet<Aggregate> | null {
  if (names === null) return null;
  const known = names.filter((name) => name === 'average' || name === 'total');
  if (names.length === 0 || known.length < names.length)
    return fail('aggregate', 'aggregate must be average, total or both.');
  if (chart.table !== 'series' && chart.table !== 'status')
    return fail('aggregate', `The chart ${chart.id} has no summary.`);
  const isStock = chart.table !== 'series' || chart.time === 'stock';
  if (isStock && !known.includes('average')) {
    return fail('aggregate', `The chart ${chart.id} shows states, which have no total; use average.`);
  }
  return new Set(known);
}

function readRange(
  chart: Chart,
  query: Pick<ChartQuery, 'start_date' | 'end_date'>,
  nowMs: number,
): { startMs: number; endMs: number } {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const endMs = query.end_date === null ? today : readDay('end_date', query.end_date);
  const isTable = chart.table === 'retention' || chart.table === 'explorer';
  const end = new Date(endMs);
  const yearBefore = Date.UTC(end.getUTCFullYear() - 1, end.getUTCMonth(), end.getUTCDate());
  const fallback = isTable ? yearBefore : endMs - DEFAULT_DAYS * DAY_MS;
  const startMs = query.start_date === null ? fallback : readDay('start_date', query.start_date);
  if (startMs < FIRST_DAY_MS) return fail('start_date', 'start_date must be 2000-01-01 or later.');
  if (endMs < startMs) return fail('end_date', 'end_date must not be before start_date.');
  return { startMs, endMs };
}

export interface Asked {
  projectId: string;
  chart: Chart;
  nowMs: number;
  weekStartsOn: WeekStart;
  /** Display names of a dimension's values. */
  namesOf: (dimension: string) => ReadonlyMap<string, string>;
}

function namedBy(segment: NonNullable<ChartQuestion['segment']>): string {
  return typeof segment === 'string' ? namesLike(segment) : segment.id;
}

/** @throws ApiError 400 naming the invalid parameter and the supported values */
export function readQuestion(
  { projectId, chart, nowMs, weekStartsOn, namesOf }: Asked,
  query: ChartQuery,
): ChartQuestion {
  const resolution = readResolution(chart, query.resolution);
  const calendar: Calendar = { resolution, weekStartsOn };
  const range = readRange(chart, query, nowMs);
  const startMs = query.expand_periods ? bucketOf(range.startMs, calendar) : range.startMs;
  const { endMs } = range;
  const days = (range.endMs - range.startMs) / DAY_MS;
  if (
    (resolution === 'day' && days + 1 > MAX_BUCKETS) ||
    bucketsBetween(startMs, endMs, calendar).length > MAX_BUCKETS
  ) {
    return fail('start_date', `The range has more than ${MAX_BUCKETS} buckets; use a coarser resolution.`);
  }
  const segment = readSegment(chart, query.segment);
  return {
    projectId,
    chart,
    environment: query.environment,
    calendar,
    askedStartMs: range.startMs,
    startMs,
    endMs,
    nowMs,
    filters: readFilters(chart, query.filters),
    selected: readSelectors(chart, query.selectors),
    segment,
    segmentNames: segment === null ? new Map() : namesOf(namedBy(segment)),
    limitSegments: query.limit_num_segments,
    aggregate: readAggregate(chart, query.aggregate),
    currency: query.currency,
    includeAnnotations: query.include_annotations,
  };
}
