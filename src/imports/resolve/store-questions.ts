import type { Verified } from '../../../libs/stores/index.js';

/** A question of an import to the store of an app. */
export type StoreQuestion =
  /** Asks for the key of a Google Play purchase by one of its orders. */
  | { appId: string; kind: 'order'; id: string }
  /** Asks for the original id of an App Store subscription by one of its transactions. */
  | { appId: string; kind: 'transaction'; id: string }
  /** Asks for everything about a purchase, by an id alone. */
  | { appId: string; kind: 'purchase'; id: string; storeUserId: string | null };

export type QuestionAnswer =
  | { kind: 'key'; key: string }
  | { kind: 'report'; verified: Verified }
  /** `isRemembered`: the store gave this answer earlier. */
  | { kind: 'unknown'; message: string; isRemembered?: true };

const nameOf = ({ appId, kind, id }: StoreQuestion): string => `${appId} ${kind} ${id}`;

/** The stores' answers that arrived in time. */
export class StoreAnswers {
  private readonly answers = new Map<string, QuestionAnswer>();
  private readonly refusals = new Map<string, string>();

  add(question: StoreQuestion, answer: QuestionAnswer): void {
    this.answers.set(nameOf(question), answer);
  }

  /** Records why the store of an app could not be asked. The first reason stays. */
  refuse(appId: string, reason: string): void {
    if (!this.refusals.has(appId)) this.refusals.set(appId, reason);
  }

  /** Undefined if the store was not asked or has not answered. */
  find(question: StoreQuestion): QuestionAnswer | undefined {
    return this.answers.get(nameOf(question));
  }

  /** Merges the answers to later questions. */
  join({ answers, refusals }: StoreAnswers): void {
    for (const [name, answer] of answers) this.answers.set(name, answer);
    for (const [appId, reason] of refusals) this.refuse(appId, reason);
  }

  refusalOf(appId: string): string | undefined {
    return this.refusals.get(appId);
  }
}
