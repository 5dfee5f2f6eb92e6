import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { ChartAnswer } from '../answers/answer.model.js';
import { tooManySums } from '../answers/pieces.js';
import {
  answerOf,
  type QuestionSums,
  restoredSums,
  storedSums,
  type StoredSums,
} from '../answers/question-sums.js';
import type { ChartQuestion } from '../question/chart-question.js';

const MAX_BYTES = 4 * 1024 * 1024;

/** Sums as of a time of the process, or a refusal that every further attempt would repeat. */
export type StoredAnswer =
  { nowMs: number; sums: StoredSums } | { refused: { param: string; message: string } };

/** Returns JSON. */
export function storedAnswer(nowMs: number, sums: QuestionSums): string {
  const text = JSON.stringify({ nowMs, sums: storedSums(sums) } satisfies StoredAnswer);
  return Buffer.byteLength(text) > MAX_BYTES ? storedRefusal(tooManySums()) : text;
}

export function storedRefusal({ details, message }: ApiError): string {
  return JSON.stringify({ refused: { param: details.param ?? '', message } } satisfies StoredAnswer);
}

/** @throws ApiError 400 if the question was refused */
export function restoredAnswer(question: ChartQuestion, stored: StoredAnswer, asOfMs: number): ChartAnswer {
  if ('refused' in stored) throw ApiError.parameter(stored.refused.param, stored.refused.message);
  const asked = { ...question, nowMs: stored.nowMs };
  return answerOf(asked, restoredSums(asked, stored.sums), asOfMs);
}
