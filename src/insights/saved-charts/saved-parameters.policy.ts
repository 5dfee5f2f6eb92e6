import { ApiError } from '../../platform/http/errors/api-error.js';
import { type RawQuery, readQuery } from '../../platform/http/lists/query-parameters.js';
import { ChartQuery } from '../charts/question/charts.query.js';
import { pictureResolution, type RangeName, rangeNames, spanOf } from './named-ranges.policy.js';

export const drawings = ['line', 'area', 'column', 'share'] as const;

/** Choices on the page of a chart, by the names of `getChart` where it has the parameter. */
export interface SavedParameters {
  range?: RangeName;
  start_date?: string;
  end_date?: string;
  resolution?: string;
  currency?: string;
  environment?: string;
  filters?: { name: string; values: string[] }[];
  selectors?: Record<string, string>;
  segment?: string;
  compare?: string;
  draw?: string;
  shown?: string;
  scale?: string;
}

const MAX_SIZE = 20_000;
const MAX_TEXT = 100;
const choices: Partial<Record<keyof SavedParameters, readonly string[]>> = {
  range: rangeNames,
  compare: ['before'],
  draw: drawings,
  scale: ['absolute'],
};
const texts: (keyof SavedParameters)[] = [
  'start_date',
  'end_date',
  'resolution',
  'currency',
  'environment',
  'segment',
  'shown',
];
const names: readonly string[] = [...Object.keys(choices), ...texts, 'filters', 'selectors'];

export const nameOfParameter = (name: string): string => `parameters.${name}`;

function fail(name: string, message: string): never {
  throw ApiError.parameter(nameOfParameter(name), message);
}

/**
 * Reads the parts that do not depend on the chart. `chartQueryOf` and the chart check the rest.
 * @throws ApiError 400 naming the parameter
 */
export function readParameters(given: Record<string, unknown>): SavedParameters {
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  for (const [name, value] of entries) {
    if (!names.includes(name)) fail(name, `There is no parameter ${JSON.stringify(name)}.`);
    const allowed = choices[name as keyof SavedParameters];
    if (allowed && !allowed.includes(value as string)) fail(name, `${name} must be ${allowed.join(', ')}.`);
    const isText = texts.includes(name as keyof SavedParameters);
    if (isText && (typeof value !== 'string' || value === '' || value.length > MAX_TEXT))
      fail(name, `${name} must be a string of 1 to ${MAX_TEXT} characters.`);
  }
  const parameters = Object.fromEntries(entries) as SavedParameters;
  const json = JSON.stringify(parameters);
  if (json.length > MAX_SIZE)
    throw ApiError.parameter('parameters', `parameters must not exceed ${MAX_SIZE} characters.`);
  // PostgreSQL text cannot contain NUL.
  if (json.includes('\\u0000'))
    throw ApiError.parameter('parameters', 'parameters must not contain a NUL character.');
  const { range, start_date, end_date } = parameters;
  const dated = start_date !== undefined ? 'start_date' : end_date !== undefined ? 'end_date' : undefined;
  if (dated === undefined || range === 'custom') return parameters;
  if (range !== undefined) fail(dated, `${dated} needs the range custom.`);
  return { ...parameters, range: 'custom' };
}

/** Choices of a reader for charts that leave them open. */
export interface ReaderChoices {
  currency?: string;
  environment?: string;
}

/**
 * Returns the parameters of the chart's route at a time, as the page of the chart asks for them.
 * @throws ApiError 400 naming the parameter
 */
export function chartQueryOf(
  parameters: SavedParameters,
  { isCohorts, todayMs }: { isCohorts: boolean; todayMs: number },
  reader: ReaderChoices = {},
): ChartQuery {
  const { range = isCohorts ? '12m' : '90d', filters, selectors } = parameters;
  const span = spanOf(range, todayMs, parameters);
  const raw: RawQuery = {
    ...span,
    resolution: parameters.resolution,
    segment: parameters.segment,
    currency: parameters.currency ?? reader.currency,
    environment: parameters.environment ?? reader.environment,
    filters: filters && JSON.stringify(filters),
    selectors: selectors && JSON.stringify(selectors),
  };
  try {
    return readQuery(ChartQuery, raw);
  } catch (error) {
    throw inParameters(error);
  }
}

/** The question of a small picture: without segments, and with few points unless a resolution was chosen. */
export function pictureQueryOf(query: ChartQuery, { resolution }: SavedParameters): ChartQuery {
  return { ...query, segment: null, resolution: resolution ?? pictureResolution(query) };
}

/** Names the parameter of a chart's route as a part of `parameters`. */
export function inParameters(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { param } = error.details;
  if (param === undefined || param === 'chart_name') return error;
  return new ApiError(error.kind, error.message, { ...error.details, param: nameOfParameter(param) });
}
