import type { Schema } from '../../api/types.js';
import {
  type ConditionDraft,
  conditionOf,
  draftOf,
  type RetentionField,
} from '../../frame/conditions/conditions.js';
import type { RetentionRule } from './retention.queries.js';

/** Values of the rule form. */
export interface RuleValues {
  display_name: string;
  message_id: string;
  offer: 'none' | 'switch' | 'promotional';
  alternate_product_id: string;
  promotional_offer: { product_id: string; offer_id: string };
  conditions: ConditionDraft<RetentionField>[];
}

export const emptyRule: RuleValues = {
  display_name: '',
  message_id: '',
  offer: 'none',
  alternate_product_id: '',
  promotional_offer: { product_id: '', offer_id: '' },
  conditions: [],
};

export function ruleValuesOf(rule: RetentionRule): RuleValues {
  const { alternate_product_id: alternate, promotional_offer: offer } = rule;
  return {
    display_name: rule.display_name,
    message_id: rule.message_id,
    offer: alternate !== null ? 'switch' : offer === null ? 'none' : 'promotional',
    alternate_product_id: alternate ?? '',
    promotional_offer: offer ?? emptyRule.promotional_offer,
    conditions: rule.conditions.map((condition) => draftOf(condition)),
  };
}

/** Validates before anything is sent. */
export function ruleProblems(values: RuleValues) {
  const { display_name: name, message_id: message, offer, alternate_product_id: alternate } = values;
  const { product_id: product, offer_id: offerId } = values.promotional_offer;
  const isPromotional = offer === 'promotional';
  return {
    display_name: name.trim() === '' ? 'Give the rule a name.' : null,
    message_id: message === '' ? 'Choose a message.' : null,
    alternate_product_id: offer === 'switch' && alternate === '' ? 'Choose a product.' : null,
    'promotional_offer.product_id': isPromotional && product === '' ? 'Choose a product.' : null,
    'promotional_offer.offer_id':
      isPromotional && offerId.trim() === '' ? 'Enter the id of the offer.' : null,
  };
}

export function ruleBodyOf(values: RuleValues) {
  const { offer, alternate_product_id: alternate, promotional_offer: promotional } = values;
  return {
    display_name: values.display_name.trim(),
    message_id: values.message_id,
    conditions: values.conditions.map((draft) => conditionOf(draft)),
    alternate_product_id: offer === 'switch' ? alternate : null,
    promotional_offer:
      offer === 'promotional' ? { ...promotional, offer_id: promotional.offer_id.trim() } : null,
  } satisfies Schema<'UpdateRetentionRuleDto'>;
}
