import { alpha2Country } from '../kernel/index.js';
import { type Condition, type ConditionField, conditionFields, type ConditionOperator } from './model.js';
import { flavorOf, platforms } from './request.js';
import { parseVersion } from './versions.js';

export const MAX_CONDITIONS = 20;
const MAX_VALUES = 500;
const MAX_TEXT = 500;
const MAX_NAME = 255;

/** An invalid request field, by its path (`conditions[2].value`). */
export class ConditionProblem extends Error {
  constructor(
    readonly param: string,
    message: string,
  ) {
    super(`${param} ${message}`);
  }
}

export interface ConditionScope {
  /** Name of the array in the request. */
  param: string;
  appIds: ReadonlySet<string>;
  /** Fields that are not allowed here. */
  without?: readonly ConditionField[];
}

export const lists: readonly ConditionOperator[] = ['in', 'not in'];
export const comparisons: readonly ConditionOperator[] = ['=', '!=', '>', '>=', '<', '<='];

const operatorsOf: Record<ConditionField, readonly ConditionOperator[]> = {
  country: lists,
  app_config: lists,
  platform: lists,
  app_version: comparisons,
  sdk_version: comparisons,
  custom_attribute: lists,
  rollout: ['<'],
};

const mostValues: Partial<Record<ConditionField, number>> = { country: 250, app_config: 100, platform: 9 };

function isText(value: unknown, max: number): value is string {
  return (
    typeof value === 'string' &&
    value.length >= 1 &&
    value.length <= max &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}

/** A condition as sent. */
export type GivenCondition = Readonly<Record<string, unknown>>;

/** @throws ConditionProblem unless the field is one of those allowed */
export function checkedField<Field extends string>(
  at: string,
  given: GivenCondition,
  allowed: readonly Field[],
): Field {
  const field = allowed.find((name) => name === given.field);
  if (field === undefined) throw new ConditionProblem(`${at}.field`, `must be one of ${allowed.join(', ')}.`);
  return field;
}

/** @throws ConditionProblem unless the field has this operator */
export function checkedOperator(
  at: string,
  given: GivenCondition,
  allowed: readonly ConditionOperator[],
): ConditionOperator {
  const operator = given.operator as ConditionOperator;
  if (allowed.includes(operator)) return operator;
  const choices = allowed.join(', ');
  throw new ConditionProblem(`${at}.operator`, `must be one of ${choices} for ${String(given.field)}.`);
}

class Checker {
  constructor(
    private readonly at: string,
    private readonly given: GivenCondition,
    private readonly scope: ConditionScope,
  ) {}

  condition(field: ConditionField): Condition {
    const operator = checkedOperator(this.at, this.given, operatorsOf[field]);
    return { field, operator, value: this.value(field), context: this.context(field) };
  }

  private value(field: ConditionField): Condition['value'] {
    const { value } = this.given;
    if (field === 'rollout') {
      if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 99) return value;
      throw this.problem('value', 'must be a whole number from 1 to 99.');
    }
    if (operatorsOf[field] === comparisons) {
      if (isText(value, 100) && parseVersion(value) !== null) return value;
      throw this.problem('value', 'must be a version such as 1.2.0.');
    }
    const max = mostValues[field] ?? MAX_VALUES;
    if (!Array.isArray(value) || value.length === 0 || value.length > max)
      throw this.problem('value', `must be an array of 1 to ${max} values.`);
    return value.map((item: unknown) => this.item(field, item));
  }

  private item(field: ConditionField, item: unknown): string | number {
    switch (field) {
      case 'country':
        if (typeof item === 'string' && item.length === 2 && alpha2Country(item) === item) return item;
        throw this.problem('value', 'must hold upper-case ISO 3166 alpha-2 codes.');
      case 'app_config':
        if (typeof item === 'string' && this.scope.appIds.has(item)) return item;
        throw this.problem('value', 'must hold ids of apps of this project.');
      case 'platform':
        if ((platforms as readonly unknown[]).includes(item)) return item as string;
        throw this.problem('value', `must hold values of ${platforms.join(', ')}.`);
      case 'custom_attribute':
      case 'app_version':
      case 'sdk_version':
      case 'rollout':
        if (Number.isSafeInteger(item)) return item as number;
        if (isText(item, MAX_TEXT)) return item;
        throw this.problem('value', `must hold texts of 1 to ${MAX_TEXT} characters or whole numbers.`);
    }
  }

  private context(field: ConditionField): string | null {
    const context = this.given.context ?? null;
    switch (field) {
      case 'app_version':
        if (typeof context === 'string' && this.scope.appIds.has(context)) return context;
        throw this.problem('context', 'must be the id of an app of this project.');
      case 'sdk_version':
        if (isText(context, MAX_NAME)) return flavorOf(context);
        throw this.problem('context', 'must name an SDK such as ios or react-native.');
      case 'custom_attribute':
        if (isText(context, MAX_NAME)) return context;
        throw this.problem('context', 'must be the name of an attribute.');
      case 'country':
      case 'app_config':
      case 'platform':
      case 'rollout':
        if (context === null) return null;
        throw this.problem('context', `must be left out for ${field}.`);
    }
  }

  private problem(name: string, message: string): ConditionProblem {
    return new ConditionProblem(`${this.at}.${name}`, message);
  }
}

/** Validates a condition whose field is known. @throws ConditionProblem */
export function checkedCondition(
  at: string,
  given: GivenCondition,
  field: ConditionField,
  scope: ConditionScope,
): Condition {
  return new Checker(at, given, scope).condition(field);
}

/** Validates an array of conditions, each with `check`. @throws ConditionProblem for the first invalid one */
export function checkedEach<Checked>(
  given: unknown,
  param: string,
  check: (at: string, item: GivenCondition) => Checked,
): Checked[] {
  if (!Array.isArray(given) || given.length > MAX_CONDITIONS)
    throw new ConditionProblem(param, `must be an array of at most ${MAX_CONDITIONS} conditions.`);
  return given.map((item: unknown, index) => {
    const at = `${param}[${index}]`;
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new ConditionProblem(at, 'must be an object.');
    return check(at, item as GivenCondition);
  });
}

/** Validates the conditions of a request. @throws ConditionProblem for the first invalid one */
export function checkedConditions(given: unknown, scope: ConditionScope): Condition[] {
  const allowed = conditionFields.filter((name) => !scope.without?.includes(name));
  return checkedEach(given, scope.param, (at, item) =>
    checkedCondition(at, item, checkedField(at, item, allowed), scope),
  );
}
