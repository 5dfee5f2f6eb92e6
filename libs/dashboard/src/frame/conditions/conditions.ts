import type { Schema } from '../../api/types.js';

type AnyCondition = Schema<'RefundConditionDto'>;
export type Operator = AnyCondition['operator'];
/** Fields of refund policies include all fields of targeting rules. */
export type Field = AnyCondition['field'];
export type TargetingField = Schema<'ConditionDto'>['field'];

export type Condition<F extends Field = Field> = Omit<AnyCondition, 'field'> & { field: F };

/** A condition in the editor; lists are comma-separated text. */
export interface ConditionDraft<F extends Field = Field> {
  field: F;
  operator: Operator;
  value: string;
  /** App id, SDK, or attribute name; empty if the field has none. */
  context: string;
}

const lists: readonly Operator[] = ['in', 'not in'];
const comparisons: readonly Operator[] = ['=', '!=', '>', '>=', '<', '<='];

const targetingOperators: Record<TargetingField, readonly Operator[]> = {
  country: lists,
  app_config: lists,
  platform: lists,
  app_version: comparisons,
  sdk_version: comparisons,
  custom_attribute: lists,
  rollout: ['<'],
};

const refundOperators: Record<Exclude<Field, TargetingField>, readonly Operator[]> = {
  refund_reason: lists,
  product: lists,
  purchase_kind: lists,
  days_since_purchase: comparisons,
  days_since_first_purchase: comparisons,
  days_since_last_seen: comparisons,
  paid_periods: comparisons,
  refunds_before: comparisons,
  requests_before: comparisons,
  lifetime_usd: comparisons,
  refunded_usd: comparisons,
  price_usd: comparisons,
  consumed_percent: comparisons,
};

export const operatorsOf: Record<Field, readonly Operator[]> = { ...targetingOperators, ...refundOperators };

export const targetingFields = Object.keys(targetingOperators) as TargetingField[];
/** Fields of refund policies; those about the request are listed first. */
export const refundFields = [...Object.keys(refundOperators), ...targetingFields] as Field[];

/** Fields of rules for retention messages; those about the subscription are listed first. */
export const retentionFields = [
  'product',
  'days_since_purchase',
  'paid_periods',
  'lifetime_usd',
  ...targetingFields,
] as const satisfies readonly Schema<'RetentionConditionDto'>['field'][];
export type RetentionField = (typeof retentionFields)[number];

/** Fields that need an app, SDK or attribute. */
export const hasContext = (field: Field): boolean =>
  field === 'app_version' || field === 'sdk_version' || field === 'custom_attribute';

export const isList = (field: Field): boolean => operatorsOf[field] === lists;

const isVersion = (field: Field): boolean => field === 'app_version' || field === 'sdk_version';

/** Numbers that are not written stay text, which the server rejects with the name of the field. */
function numberOf(text: string): number | string {
  return text === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

export function newDraft<F extends Field>(field: F): ConditionDraft<F> {
  const [operator = 'in'] = operatorsOf[field];
  return { field, operator, value: '', context: '' };
}

export const draftOf = <F extends Field>({
  field,
  operator,
  value,
  context,
}: Condition<F>): ConditionDraft<F> => ({
  field,
  operator,
  value: Array.isArray(value) ? value.join(', ') : String(value),
  context: context ?? '',
});

export function partsOf(value: string): string[] {
  return value
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Converts the input for the API. The server validates values. */
export function conditionOf<F extends Field>(draft: ConditionDraft<F>): Condition<F> {
  const { field, operator, context } = draft;
  const text = draft.value.trim();
  const parts = partsOf(text);
  const values = field === 'country' ? parts.map((part) => part.toUpperCase()) : parts;
  const value = isList(field) ? values : isVersion(field) ? text : numberOf(text);
  return { field, operator, value, ...(hasContext(field) && { context }) };
}
