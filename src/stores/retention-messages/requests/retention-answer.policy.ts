import type { RetentionAnswer } from '../../../../libs/stores/index.js';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import type { RetentionRule } from '../rules/retention-rule.entity.js';

export type AnsweringRule = Pick<
  RetentionRule,
  'id' | 'appId' | 'messageId' | 'alternateProductId' | 'offerProductId' | 'offerId'
>;

export interface DecidedAnswer {
  ruleId: string;
  answer: RetentionAnswer;
}

export interface AnswerTerms {
  catalog: Catalog;
  /** Ids of the products that the customer has. */
  held: ReadonlySet<string>;
  /** Whether the app's key can sign this offer. */
  canSign: (offer: { productId: string; offerId: string }) => boolean;
}

/** The product's id in the App Store; null for a deleted, an archived or another app's product. */
function storeProductOf({ catalog }: AnswerTerms, appId: string, id: string): string | null {
  const product = catalog.products.get(id);
  return product?.appId === appId && product.active ? product.storeIdentifier : null;
}

function answerOf(rule: AnsweringRule, terms: AnswerTerms): RetentionAnswer | null {
  const { appId, messageId, alternateProductId, offerProductId, offerId } = rule;
  if (alternateProductId !== null) {
    const productId = storeProductOf(terms, appId, alternateProductId);
    if (productId === null || terms.held.has(alternateProductId)) return null;
    return { kind: 'alternate_product', messageId, productId };
  }
  if (offerProductId !== null && offerId !== null) {
    const productId = storeProductOf(terms, appId, offerProductId);
    if (productId === null || !terms.canSign({ productId, offerId })) return null;
    return { kind: 'promotional_offer', messageId, productId, offerId };
  }
  return { kind: 'message', messageId };
}

/** The answer of the first matching rule that can be carried out; null if there is none. */
export function firstAnswer(matching: readonly AnsweringRule[], terms: AnswerTerms): DecidedAnswer | null {
  for (const rule of matching) {
    const answer = answerOf(rule, terms);
    if (answer) return { ruleId: rule.id, answer };
  }
  return null;
}
