import type { RetentionAnswer } from '../../../../libs/stores/index.js';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import type { RetentionRule } from '../rules/retention-rule.entity.js';

export type AnsweringRule = Pick<
  RetentionRule,
  'id' | 'appId' | 'messageId' | 'alternateProductId' | 'offerProductId' | 'offerId'
>;

/** A promotional offer with the signature that Apple asks for; null for other answers. */
export interface SignedAnswer {
  answer: RetentionAnswer;
  signature: string | null;
}

export interface DecidedAnswer extends SignedAnswer {
  ruleId: string;
}

export interface AnswerTerms {
  catalog: Catalog;
  /** Ids of the products that the customer has. */
  held: ReadonlySet<string>;
  /** Returns null if the app's key is missing or cannot sign. */
  sign: (offer: { productId: string; offerId: string }) => string | null;
}

/** The product's id in the App Store; null for a deleted, an archived or another app's product. */
function storeProductOf({ catalog }: AnswerTerms, appId: string, id: string): string | null {
  const product = catalog.products.get(id);
  return product?.appId === appId && product.active ? product.storeIdentifier : null;
}

function answerOf(rule: AnsweringRule, terms: AnswerTerms): SignedAnswer | null {
  const { appId, messageId, alternateProductId, offerProductId, offerId } = rule;
  if (alternateProductId !== null) {
    const productId = storeProductOf(terms, appId, alternateProductId);
    if (productId === null || terms.held.has(alternateProductId)) return null;
    return { answer: { kind: 'alternate_product', messageId, productId }, signature: null };
  }
  if (offerProductId !== null && offerId !== null) {
    const productId = storeProductOf(terms, appId, offerProductId);
    const signature = productId === null ? null : terms.sign({ productId, offerId });
    if (productId === null || signature === null) return null;
    return { answer: { kind: 'promotional_offer', messageId, productId, offerId }, signature };
  }
  return { answer: { kind: 'message', messageId }, signature: null };
}

/** The answer of the first matching rule that can be carried out; null if there is none. */
export function firstAnswer(matching: readonly AnsweringRule[], terms: AnswerTerms): DecidedAnswer | null {
  for (const rule of matching) {
    const answer = answerOf(rule, terms);
    if (answer) return { ruleId: rule.id, ...answer };
  }
  return null;
}
