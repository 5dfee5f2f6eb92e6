import { type ConditionDraft, conditionOf, draftOf } from '../frame/conditions/conditions.js';
import type { PolicyBody, RefundPolicy } from './policies.queries.js';
import type { PreviewBody } from './preview.queries.js';

/** Values of the policy form. */
export interface PolicyValues {
  display_name: string;
  preference: RefundPolicy['preference'];
  hold_minutes: string;
  stores: { app_store: boolean; play_store: boolean };
  conditions: ConditionDraft[];
}

export const emptyPolicy: PolicyValues = {
  display_name: '',
  preference: 'decline',
  hold_minutes: '0',
  stores: { app_store: true, play_store: true },
  conditions: [],
};

export function policyValuesOf(policy: RefundPolicy): PolicyValues {
  return {
    display_name: policy.display_name,
    preference: policy.preference,
    hold_minutes: String(policy.hold_minutes),
    stores: {
      app_store: policy.stores.includes('app_store'),
      play_store: policy.stores.includes('play_store'),
    },
    conditions: policy.conditions.map((condition) => draftOf(condition)),
  };
}

/** Validates before anything is sent. */
export function policyProblems({ display_name: name, hold_minutes: hold, stores }: PolicyValues) {
  const isHold = /^\d{1,4}$/.test(hold.trim()) && Number(hold) <= 1440;
  return {
    display_name: name.trim() === '' ? 'Give the policy a name.' : null,
    hold_minutes: isHold ? null : 'Enter a number from 0 to 1440.',
    'stores.app_store': stores.app_store || stores.play_store ? null : 'Choose at least one store.',
  };
}

/** The default policy decides about all remaining requests, so it has neither conditions nor stores. */
export function policyBodyOf(values: PolicyValues, isDefault: boolean): PolicyBody {
  const { app_store: appStore, play_store: playStore } = values.stores;
  return {
    display_name: values.display_name.trim(),
    preference: values.preference,
    hold_minutes: Number(values.hold_minutes),
    ...(!isDefault && {
      stores: [
        ...(appStore ? (['app_store'] as const) : []),
        ...(playStore ? (['play_store'] as const) : []),
      ],
      conditions: values.conditions.map((draft) => conditionOf(draft)),
    }),
  };
}

type Draft = NonNullable<PreviewBody['policies']>[number];

const draftOfSaved = ({ id, display_name, preference, conditions, stores }: RefundPolicy): Draft => ({
  id,
  display_name,
  preference,
  conditions: conditions.map((condition) => ({ ...condition, context: condition.context ?? null })),
  stores,
});

/** All policies with the edited one as it is now; a new one is evaluated after all others but the default one. */
export function draftsWith(
  policies: readonly RefundPolicy[],
  edited: RefundPolicy | null,
  values: PolicyValues,
): Draft[] {
  const draft: Draft = {
    ...policyBodyOf(values, edited?.is_default === true),
    ...(edited && { id: edited.id }),
  };
  return policies.flatMap((policy) => {
    if (policy.id === edited?.id) return [draft];
    const saved = draftOfSaved(policy);
    return edited === null && policy.is_default ? [draft, saved] : [saved];
  });
}
