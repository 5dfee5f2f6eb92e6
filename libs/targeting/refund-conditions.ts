import {
  checkedCondition,
  checkedEach,
  checkedField,
  checkedOperator,
  comparisons,
  ConditionProblem,
  type ConditionScope,
  type GivenCondition,
  lists,
} from './check-conditions.js';
import { compileAll, compileCondition, differenceTest, inList, type Predicate } from './conditions.js';
import { type Condition, type ConditionField, conditionFields } from './model.js';
import { purchaseKinds } from '../stores/index.js';
import { type RefundFacts, refundReasons } from './refund-facts.js';
import type { TargetingRequest } from './request.js';

const MAX_PRODUCTS = 500;
const MAX_COUNT = 10_000;
const MAX_USD = 1e9;

export interface RefundConditionScope extends ConditionScope {
  productIds: ReadonlySet<string>;
  /** Fields that are allowed here. Default: all. */
  fields?: readonly RefundConditionField[];
}

interface ListField {
  kind: 'list';
  max: number;
  /** Describes the values, for errors. */
  values: string;
  has: (value: string, scope: RefundConditionScope) => boolean;
}

interface NumberField {
  kind: 'number';
  isWhole: boolean;
  max: number;
}

function choice(values: readonly string[]): ListField {
  return {
    kind: 'list',
    max: values.length,
    values: `values of ${values.join(', ')}`,
    has: (value) => values.includes(value),
  };
}

const count: NumberField = { kind: 'number', isWhole: true, max: MAX_COUNT };
const usd: NumberField = { kind: 'number', isWhole: false, max: MAX_USD };

/** Fields that only refund policies have. */
const refundFields = {
  refund_reason: choice(refundReasons),
  product: {
    kind: 'list',
    max: MAX_PRODUCTS,
    values: 'ids of products of this project',
    has: (value, { productIds }) => productIds.has(value),
  },
  purchase_kind: choice(purchaseKinds),
  days_since_purchase: count,
  days_since_first_purchase: count,
  days_since_last_seen: count,
  paid_periods: count,
  refunds_before: count,
  requests_before: count,
  lifetime_usd: usd,
  refunded_usd: usd,
  price_usd: usd,
  consumed_percent: { kind: 'number', isWhole: false, max: 100 },
} satisfies Partial<Record<keyof RefundFacts, ListField | NumberField>>;

type RefundField = keyof typeof refundFields;
export type RefundConditionField = ConditionField | RefundField;
export type RefundCondition = Condition<RefundConditionField>;

export const refundConditionFields = [
  ...conditionFields,
  ...(Object.keys(refundFields) as RefundField[]),
] as const;

const isRefundField = (field: RefundConditionField): field is RefundField =>
  Object.hasOwn(refundFields, field);

function checkedList(at: string, value: unknown, rule: ListField, scope: RefundConditionScope): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > rule.max)
    throw new ConditionProblem(`${at}.value`, `must be an array of 1 to ${rule.max} values.`);
  return value.map((item: unknown) => {
    if (typeof item === 'string' && rule.has(item, scope)) return item;
    throw new ConditionProblem(`${at}.value`, `must hold ${rule.values}.`);
  });
}

function checkedNumber(at: string, value: unknown, { isWhole, max }: NumberField): number {
  const isValid = typeof value === 'number' && value >= 0 && value <= max;
  if (isValid && (!isWhole || Number.isInteger(value))) return value;
  throw new ConditionProblem(`${at}.value`, `must be a ${isWhole ? 'whole ' : ''}number from 0 to ${max}.`);
}

function checkedRefundCondition(
  at: string,
  given: GivenCondition,
  field: RefundField,
  scope: RefundConditionScope,
): RefundCondition {
  const rule: ListField | NumberField = refundFields[field];
  const operator = checkedOperator(at, given, rule.kind === 'list' ? lists : comparisons);
  const value =
    rule.kind === 'list' ? checkedList(at, given.value, rule, scope) : checkedNumber(at, given.value, rule);
  if ((given.context ?? null) !== null)
    throw new ConditionProblem(`${at}.context`, `must be left out for ${field}.`);
  return { field, operator, value, context: null };
}

/** Validates the conditions of a refund policy. @throws ConditionProblem for the first invalid one */
export function checkedRefundConditions(given: unknown, scope: RefundConditionScope): RefundCondition[] {
  return checkedEach(given, scope.param, (at, item) => {
    const field = checkedField(at, item, scope.fields ?? refundConditionFields);
    return isRefundField(field)
      ? checkedRefundCondition(at, item, field, scope)
      : checkedCondition(at, item, field, scope);
  });
}

/** A refund request as conditions see it. */
export interface RefundSubject {
  facts: RefundFacts;
  request: TargetingRequest;
}

/** Unknown values are in no list, and no comparison holds for them. */
function compileRefundCondition(condition: RefundCondition, salt: string): Predicate<RefundSubject> {
  const { field, operator, value } = condition;
  if (!isRefundField(field)) {
    const holds = compileCondition({ ...condition, field }, salt);
    return ({ request }) => holds(request);
  }
  if (refundFields[field].kind === 'list')
    return inList(condition, ({ facts }) => (facts[field] as string | undefined) ?? null);
  const test = differenceTest(operator);
  return ({ facts }) => {
    const known = facts[field] as number | undefined;
    return known !== undefined && test(known - (value as number));
  };
}

/** `salt` is the id of the policy, which its rollout depends on. */
export function compileRefundConditions(
  conditions: readonly RefundCondition[],
  salt: string,
): Predicate<RefundSubject> {
  return compileAll(conditions, (condition) => compileRefundCondition(condition, salt));
}
