import type { Schema } from '../api/types.js';

export type Condition = Schema<'ConditionDto'>;
export type Field = Condition['field'];
export type Operator = Condition['operator'];

/** A condition in the editor; lists are comma-separated text. */
export interface ConditionDraft {
  field: Field;
  operator: Operator;
  value: string;
  /** App id, SDK, or attribute name; empty if the field has none. */
  context: string;
}

const lists: readonly Operator[] = ['in', 'not in'];
const comparisons: readonly Operator[] = ['=', '!=', '>', '>=', '<', '<='];

export const operatorsOf: Record<Field, readonly Operator[]> = {
  country: lists,
  app_config: lists,
  platform: lists,
  app_version: comparisons,
  sdk_version: comparisons,
  custom_attribute: lists,
  rollout: ['<'],
};

/** Fields that need an app, SDK or attribute. */
export const hasContext = (field: Field): boolean =>
  field === 'app_version' || field === 'sdk_version' || field === 'custom_attribute';

export const isList = (field: Field): boolean => operatorsOf[field] === lists;

export function newDraft(field: Field): ConditionDraft {
  const [operator = 'in'] = operatorsOf[field];
  return { field, operator, value: '', context: '' };
}

export const draftOf = ({ field, operator, value, context }: Condition): ConditionDraft => ({
  field,
  operator,
  value: Array.isArray(value) ? value.join(', ') : String(value),
  context: context ?? '',
});

/** Converts the input for the API. The server validates values. */
export function conditionOf({ field, operator, value, context }: ConditionDraft): Condition {
  const parts = value
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const values = field === 'country' ? parts.map((part) => part.toUpperCase()) : parts;
  const sent = isList(field) ? values : field === 'rollout' ? Number(value) : value.trim();
  return { field, operator, value: sent, ...(hasContext(field) && { context }) };
}
