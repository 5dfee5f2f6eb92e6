import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { type ClassConstructor, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

/**
 * Field decorators of request DTOs: one line states the rule, the error text and the OpenAPI schema.
 * Fields are required unless `optional`; `nullable` also accepts null.
 */
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

/** Whether all texts in a JSON value are well-formed, names too: many parsers refuse half of a surrogate pair. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}

function WellFormed(): PropertyDecorator {
  const message = 'must not hold half of a surrogate pair';
  return ValidateBy({ name: 'wellFormed', validator: { validate: isWellFormed } }, { message });
}

/** Without NUL, which PostgreSQL text cannot hold. */
function WithoutNul(options: { each?: boolean } = {}): PropertyDecorator {
  return Matches(/^[^\u0000]*$/, { ...options, message: 'must not hold a NUL character' });
}

/** A string of `min` (default 1) to `max` characters, well-formed and without NUL. */
export function StringField(
  options: Common & { min?: number; max: number; pattern?: RegExp; patternText?: string },
) {
  const { min = 1, max, pattern, patternText } = options;
  const message = lengthMessage(min, max);
  const rules = [IsString({ message }), Length(min, max, { message }), WithoutNul(), WellFormed()];
  if (pattern) rules.push(Matches(pattern, { message: patternText ?? `must match ${pattern}` }));
  return field(options, { type: 'string', minLength: min, maxLength: max, pattern: pattern?.source }, rules);
}

export function IntField(options: Common & { min: number; max: number }) {
  const message = `must be a whole number from ${options.min} to ${options.max}`;
  return field(options, { type: 'integer', minimum: options.min, maximum: options.max }, [
    IsInt({ message }),
    Min(options.min, { message }),
    Max(options.max, { message }),
  ]);
}

/** Any finite number from `min` to `max`. */
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

/** A nested object checked by its own DTO class. */
export function ObjectField(type: () => ClassConstructor<object>, options: Common = {}) {
  const { optional = false, nullable = false, description } = options;
  return applyDecorators(
    // Swagger takes a function for a lazy type only when it is named `type`.
    ApiProperty({ type: () => type(), required: !optional, nullable, description }),
    Type(type),
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    IsObject({ message: 'must be an object' }),
    ValidateNested(),
  );
}

/** Any JSON object. */
export function JsonObjectField(options: Common = {}) {
  return field(options, { type: 'object', additionalProperties: true }, [
    IsObject({ message: 'must be an object' }),
    WellFormed(),
  ]);
}

/** An array of strings of 1 to `itemMax` characters. */
export function StringArrayField(
  options: Common & { min?: number; max: number; itemMax: number; values?: readonly string[] },
) {
  const { min = 0, max, itemMax, values } = options;
  const message = `must be an array of ${min} to ${max} strings`;
  const itemRule = values
    ? IsIn([...values], { each: true, message: `must only hold ${values.join(', ')}` })
    : Length(1, itemMax, { each: true, message: `must hold strings of 1 to ${itemMax} characters` });
  const items = values
    ? { type: 'string', enum: [...values] }
    : { type: 'string', minLength: 1, maxLength: itemMax };
  return field(options, { type: 'array', items, minItems: min, maxItems: max }, [
    IsArray({ message }),
    ArrayMinSize(min, { message }),
    ArrayMaxSize(max, { message }),
    IsString({ each: true, message: 'must hold strings' }),
    WithoutNul({ each: true }),
    WellFormed(),
    itemRule,
  ]);
}

/** An array of objects checked by their own DTO class. */
export function ObjectArrayField(
  type: () => ClassConstructor<object>,
  options: Common & { min?: number; max: number },
) {
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
    Type(type),
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    IsArray({ message }),
    ArrayMinSize(min, { message }),
    ArrayMaxSize(max, { message }),
    IsObject({ each: true, message: 'must hold objects' }),
    ValidateNested({ each: true }),
  );
}
