import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { isDotSegment } from '../../../../libs/kernel/index.js';
import { Converted, type DtoClass } from './declared-fields.js';
import { hasLength } from './text-length.js';

/** Distinguishes a list with an invalid item from a list where one object is expected. */
export const MUST_CONTAIN_OBJECTS = 'must contain objects';

/** One line defines rule, error text and OpenAPI schema. Required unless `optional`; `nullable` also allows null. */
interface Common {
  optional?: boolean;
  nullable?: boolean;
  description?: string;
  example?: unknown;
}

function field(options: Common, schema: ApiPropertyOptions, rules: PropertyDecorator[]): PropertyDecorator {
  const { optional = false, nullable = false, description, example } = options;
  return applyDecorators(
    ApiProperty({ ...schema, required: !optional, nullable, description, example } as ApiPropertyOptions),
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    ...rules,
  );
}

function lengthMessage(min: number, max: number): string {
  return min === max
    ? `must be exactly ${max} characters`
    : `must be a string of ${min} to ${max} characters`;
}

/** Whether all strings in a JSON value, names included, are well-formed: many parsers reject a lone surrogate. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}

function WellFormed(): PropertyDecorator {
  const message = 'must not contain half of a surrogate pair';
  return ValidateBy({ name: 'wellFormed', validator: { validate: isWellFormed } }, { message });
}

interface TextRule {
  min: number;
  max: number;
  pattern?: RegExp;
  patternText?: string;
  /** A rule that no pattern expresses; `patternText` describes it. */
  accepts?: (text: string) => boolean;
  isPathSegment?: boolean;
}

/** Returns null if the text is valid. The length is checked first, so a huge text costs nothing. */
function textProblem(value: unknown, rule: TextRule): string | null {
  const { min, max, pattern, patternText, accepts, isPathSegment } = rule;
  if (typeof value !== 'string' || !hasLength(value, min, max)) return lengthMessage(min, max);
  // PostgreSQL text cannot contain NUL.
  if (value.includes('\0')) return 'must not contain a NUL character';
  if (!value.isWellFormed()) return 'must not contain half of a surrogate pair';
  // URL libraries remove dot segments.
  if (isPathSegment && isDotSegment(value)) return 'must not be . or ..';
  if (pattern && !pattern.test(value)) return patternText ?? `must match ${pattern}`;
  if (accepts && !accepts(value)) return patternText ?? 'is invalid';
  return null;
}

function Rule(name: string, problemOf: (value: unknown) => string | null): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => problemOf(value) === null,
      defaultMessage: (of) => problemOf(of?.value) ?? '',
    },
  });
}

/** A string of `min` (default 1) to `max` characters, well-formed, without NUL. `isPathSegment`: used in paths. */
export function StringField(options: Common & Partial<TextRule> & { max: number }) {
  const { min = 1, max, pattern } = options;
  const schema = { type: 'string', minLength: min, maxLength: max, pattern: pattern?.source } as const;
  return field(options, schema, [Rule('text', (value) => textProblem(value, { ...options, min, max }))]);
}

export function IntField(options: Common & { min: number; max: number }) {
  const message = `must be a whole number from ${options.min} to ${options.max}`;
  return field(options, { type: 'integer', minimum: options.min, maximum: options.max }, [
    IsInt({ message }),
    Min(options.min, { message }),
    Max(options.max, { message }),
  ]);
}

export function NumberField(options: Common & { min: number; max: number }) {
  const message = `must be a number from ${options.min} to ${options.max}`;
  return field(options, { type: 'number', minimum: options.min, maximum: options.max }, [
    IsNumber({ allowNaN: false, allowInfinity: false }, { message }),
    Min(options.min, { message }),
    Max(options.max, { message }),
  ]);
}

export function BooleanField(options: Common = {}) {
  return field(options, { type: 'boolean' }, [IsBoolean({ message: 'must be true or false' })]);
}

export function EnumField(values: readonly string[], options: Common = {}) {
  const allowed: unknown[] = options.nullable ? [...values, null] : [...values];
  return field(options, { type: 'string', enum: allowed }, [
    IsIn([...values], { message: `must be one of ${values.join(', ')}` }),
  ]);
}

export function ObjectField(type: () => DtoClass, options: Common = {}) {
  const { optional = false, nullable = false, description } = options;
  return applyDecorators(
    // Swagger recognizes a lazy type only by the function name `type`.
    ApiProperty({ type: () => type(), required: !optional, nullable, description }),
    Converted({ type }),
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    IsObject({ message: 'must be an object' }),
    ValidateNested(),
  );
}

export function JsonObjectField(options: Common = {}) {
  return field(options, { type: 'object', additionalProperties: true }, [
    IsObject({ message: 'must be an object' }),
    WellFormed(),
  ]);
}

export function StringArrayField(
  options: Common & { min?: number; max: number; itemMax: number; values?: readonly string[] },
) {
  const { min = 0, max, itemMax, values } = options;
  const itemProblem = (item: unknown): string | null => {
    if (typeof item !== 'string') return 'must hold strings';
    if (values) return values.includes(item) ? null : `must only hold ${values.join(', ')}`;
    if (hasLength(item, 1, itemMax)) return textProblem(item, { min: 1, max: itemMax });
    return `must hold strings of 1 to ${itemMax} characters`;
  };
  const problem = (value: unknown): string | null => {
    if (!Array.isArray(value) || value.length < min || value.length > max)
      return `must be an array of ${min} to ${max} strings`;
    return value.map(itemProblem).find((found) => found !== null) ?? null;
  };
  const items = values
    ? { type: 'string', enum: [...values] }
    : { type: 'string', minLength: 1, maxLength: itemMax };
  return applyDecorators(
    Converted({ maxItems: max }),
    field(options, { type: 'array', items, minItems: min, maxItems: max }, [Rule('strings', problem)]),
  );
}

export function ObjectArrayField(type: () => DtoClass, options: Common & { min?: number; max: number }) {
  const { min = 0, max, optional = false, nullable = false, description } = options;
  const message = `must be an array of ${min} to ${max} objects`;
  return applyDecorators(
    ApiProperty({
      type: () => type(),
      isArray: true,
      required: !optional,
      nullable,
      description,
      minItems: min,
      maxItems: max,
    }),
    Converted({ type, maxItems: max }),
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    IsArray({ message }),
    ArrayMinSize(min, { message }),
    ArrayMaxSize(max, { message }),
    IsObject({ each: true, message: MUST_CONTAIN_OBJECTS }),
    ValidateNested({ each: true }),
  );
}
