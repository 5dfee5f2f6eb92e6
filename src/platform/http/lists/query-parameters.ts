import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, plainToInstance, Transform } from 'class-transformer';
import { ApiError } from '../errors/api-error.js';
import { hasLength } from '../bodies/text-length.js';

export type RawQuery = Readonly<Record<string, unknown>>;

/** Parses one parameter. @throws ApiError 400 naming it */
type Reader<Value> = (query: RawQuery, name: string) => Value;

type QueryClass<Query extends object> = new () => Query;

/** Documentation of a parameter for the OpenAPI document. */
interface Options {
  required?: boolean;
  description?: string;
  example?: unknown;
  minLength?: number;
  maxLength?: number;
  /** False: a list is comma-separated instead of repeating the parameter. */
  explode?: boolean;
}

const paths = new WeakMap<RawQuery, string>();

export function rememberPath(query: RawQuery, path: string): void {
  paths.set(query, path);
}

/** The path of the request that had these parameters. */
export function pathOf(query: RawQuery): string {
  return paths.get(query) ?? '';
}

/** A declared parameter. `read` gets the whole query, because clients also write lists as `expand[]=app`. */
export function QueryParameter(
  schema: ApiPropertyOptions & Options,
  read: Reader<unknown>,
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ required: false, ...schema } as ApiPropertyOptions),
    Expose(),
    Transform(({ obj, key }) => read(obj as RawQuery, key), { toClassOnly: true }),
  );
}

/** Undeclared parameters are ignored. @throws ApiError 400 naming the first invalid parameter */
export function readQuery<Query extends object>(type: QueryClass<Query>, raw: RawQuery): Query {
  return plainToInstance(type, raw, { excludeExtraneousValues: true });
}

/** Some clients write lists as `expand[]=app`. Ignoring such a parameter would silently return a different result. */
function assertNoBrackets(query: RawQuery, name: string): void {
  const bracketed = Object.keys(query).find((key) => key.startsWith(`${name}[`));
  if (bracketed === undefined) return;
  throw ApiError.parameter(name, `Use ${name}= instead of ${bracketed}=.`);
}

/** Returns a parameter that may occur once; null if absent. */
export function singleValue(query: RawQuery, name: string): string | null {
  assertNoBrackets(query, name);
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value !== 'string') throw ApiError.parameter(name, `${name} must be given only once.`);
  return value;
}

/** Returns the values of a repeated or comma-separated parameter, in order, without empty ones. */
export function listedValues(query: RawQuery, name: string): string[] {
  assertNoBrackets(query, name);
  const raw = query[name];
  const texts = raw === undefined ? [] : Array.isArray(raw) ? raw : [raw];
  return texts.flatMap((text) => String(text).split(',')).filter((value) => value !== '');
}

/** A string of 1 to `max` characters (any string without `max`); null if absent and not required. */
export function TextParameter({ max, ...options }: Options & { max?: number }): PropertyDecorator {
  return QueryParameter({ type: String, ...options }, (query, name) => {
    const value = singleValue(query, name);
    if (value === null && options.required) throw ApiError.parameter(name, `${name} is required.`);
    if (value === null || max === undefined || hasLength(value, 1, max)) return value;
    throw ApiError.parameter(name, `${name} must be 1 to ${max} characters.`);
  });
}

export function ChoiceParameter(
  choices: readonly string[],
  { default: fallback, ...options }: Options & { default?: string } = {},
): PropertyDecorator {
  const allowed = choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
  return QueryParameter({ enum: [...choices], ...options }, (query, name) => {
    const value = singleValue(query, name);
    if (value === null && !options.required) return fallback ?? null;
    if (value !== null && choices.includes(value)) return value;
    throw ApiError.parameter(name, `${name} must be ${allowed}.`);
  });
}

/** Production or sandbox; null, meaning both, if absent. */
export function EnvironmentParameter(): PropertyDecorator {
  return ChoiceParameter(['production', 'sandbox'], { description: 'Default: both.' });
}

export function IntParameter({
  min,
  max,
  default: fallback,
  ...options
}: Options & { min: number; max: number; default: number | null }): PropertyDecorator {
  return QueryParameter({ type: 'integer', ...options }, (query, name) => {
    const text = singleValue(query, name);
    if (text === null) return fallback;
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value;
    throw ApiError.parameter(name, `${name} must be a whole number from ${min} to ${max}.`);
  });
}

/** False if absent, unless another default is given. */
export function BooleanParameter({
  default: fallback = false,
  ...options
}: Options & { default?: boolean }): PropertyDecorator {
  return QueryParameter({ type: Boolean, ...options }, (query, name) => {
    const value = singleValue(query, name) ?? String(fallback);
    if (value === 'true' || value === 'false') return value === 'true';
    throw ApiError.parameter(name, `${name} must be true or false.`);
  });
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A calendar day (`YYYY-MM-DD`) as its start in UTC; null if absent. */
export function DayParameter(options: Options): PropertyDecorator {
  return QueryParameter({ type: String, ...options }, (query, name) => {
    const value = singleValue(query, name);
    if (value === null) return null;
    const day = new Date(`${value}T00:00:00Z`);
    if (DAY.test(value) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)) return day;
    throw ApiError.parameter(name, `${name} must be a day such as 2026-01-31.`);
  });
}

/** The last time that a JavaScript date can represent. */
const MAX_MS = 8_640_000_000_000_000;

/** A time in epoch milliseconds; null if absent. */
export function TimeParameter(options: Options): PropertyDecorator {
  return QueryParameter({ type: 'integer', ...options }, (query, name) => {
    const value = singleValue(query, name);
    if (value === null) return null;
    if (/^\d{1,16}$/.test(value) && Number(value) <= MAX_MS) return new Date(Number(value));
    throw ApiError.parameter(name, `${name} must be a time in epoch milliseconds.`);
  });
}

export function ExpandParameter(known: readonly string[]): PropertyDecorator {
  const description =
    'Related objects to embed in the answer: repeat the parameter, or separate names with commas.';
  return QueryParameter({ isArray: true, enum: [...known], description }, (query, name) => {
    const names = listedValues(query, name);
    const unknown = names.find((value) => !known.includes(value));
    if (unknown === undefined) return new Set(names);
    const message = `${name} cannot be ${JSON.stringify(unknown)}; use ${known.join(', ')}.`;
    throw ApiError.parameter(name, message);
  });
}
