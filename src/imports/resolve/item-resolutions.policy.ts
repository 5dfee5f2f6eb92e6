import type { Resolution } from '../customers/import-resolver.js';
import type { ItemQuestion } from './item-questions.policy.js';
import type { QuestionAnswer, StoreAnswers } from './store-questions.js';

export const inBackground = 'its store is asked about it in the background';
export const presentOnly = 'recorded with its present state: Google Play does not report its history';

function ofReport(
  { item, question, isRaw }: ItemQuestion,
  { verified }: QuestionAnswer & { kind: 'report' },
): Resolution {
  const [purchase] = verified.purchases;
  if (!purchase) return { note: 'its store reports no purchase' };
  const isOfTransaction = question.kind === 'transaction';
  return {
    verified,
    ...(isOfTransaction && { originalTransactionId: purchase.key, environment: verified.environment }),
    ...(isRaw && item.store === 'play_store' && { note: presentOnly }),
  };
}

function ofAnswer(asked: ItemQuestion, answer: QuestionAnswer): Resolution {
  switch (answer.kind) {
    case 'key':
      return asked.question.kind === 'order'
        ? { purchaseToken: answer.key }
        : { originalTransactionId: answer.key };
    case 'report':
      return ofReport(asked, answer);
    case 'unknown':
      return {
        note: asked.isRaw ? `left out: ${answer.message}` : `its key stays open: ${answer.message}`,
        ...(answer.isRemembered !== true && { isUnknown: true }),
      };
  }
}

/**
 * Converts answers to resolutions of the items. If a store could not be asked, the reason is noted once per app, and on
 * each item that cannot be recorded without an answer.
 */
export function resolutionsOf(
  asked: readonly ItemQuestion[],
  answers: StoreAnswers,
): { resolutions: Map<ItemQuestion['item'], Resolution>; unanswered: ItemQuestion[] } {
  const resolutions = new Map<ItemQuestion['item'], Resolution>();
  const unanswered: ItemQuestion[] = [];
  const noted = new Set<string>();
  for (const one of asked) {
    const { appId } = one.question;
    const answer = answers.find(one.question);
    const refusal = answers.refusalOf(appId);
    if (answer) resolutions.set(one.item, ofAnswer(one, answer));
    else if (refusal === undefined) {
      unanswered.push(one);
      if (one.isRaw) resolutions.set(one.item, { note: inBackground });
    } else if (one.isRaw) resolutions.set(one.item, { note: `left out, try again: ${refusal}` });
    else if (!noted.has(appId))
      resolutions.set(one.item, { note: `no store was asked for its app: ${refusal}` });
    if (refusal !== undefined) noted.add(appId);
  }
  return { resolutions, unanswered };
}
