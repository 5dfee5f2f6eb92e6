import { deriveKey, sealerWith } from '../../../libs/signing/index.js';

const PURPOSE = 'service/refresh-successor/v1';
/** Generations that one repetition may skip. */
export const MAX_STEPS = 5;

/** A refresh token that was replaced. */
export interface ReplacedToken {
  generation: number;
  issuedAt: Date;
  /** By the database's clock: with process clocks a minute apart, a repeated request would look like a theft. */
  replacedAgoMs: number;
  /** The next token's text, readable only with this token's text; null once it is not needed. */
  sealedSuccessor: string | null;
}

/** The refresh token that has not been replaced. */
export interface CurrentToken {
  generation: number;
  /** When one of its access tokens was first used; null: its answer may never have arrived. */
  usedAt: Date | null;
}

export interface RepetitionRules {
  nowMs: number;
  lifetimeMs: number;
  /** 0: a replaced token never works again. */
  graceMs: number;
}

/** `repeat` gets the current token again, `expired` nothing, and `reuse` ends the session: one holder is a thief. */
export type ReplacedTokenDecision = 'repeat' | 'expired' | 'reuse';

/**
 * Tells the repetition of a request from the reuse of a stolen token. Clients that share a stored token, or lose an
 * answer in a tunnel, present a token that has just been replaced, or whose successor they have never used.
 */
export function decideReplaced(
  presented: ReplacedToken,
  current: CurrentToken,
  { nowMs, lifetimeMs, graceMs }: RepetitionRules,
): ReplacedTokenDecision {
  if (presented.issuedAt.getTime() + lifetimeMs <= nowMs) return 'expired';
  if (graceMs === 0) return 'reuse';
  const steps = current.generation - presented.generation;
  const isRecent = presented.replacedAgoMs <= graceMs && steps <= MAX_STEPS;
  const isUnanswered = steps === 1 && current.usedAt === null;
  return isRecent || isUnanswered ? 'repeat' : 'reuse';
}

/** Only someone who presents `token` can open the result: neither the database nor the server's keys are enough. */
export function sealSuccessor(token: string, successor: string, place: string): string {
  return sealerWith(keyOf(token)).seal(successor, place);
}

/**
 * Opens each successor with the token before it, from the presented one to the current one; null if one is missing or
 * does not fit.
 */
export function openSuccessors(
  token: string,
  replaced: readonly ReplacedToken[],
  placeOf: (generation: number) => string,
): string | null {
  let text = token;
  for (const { generation, sealedSuccessor } of replaced) {
    if (sealedSuccessor === null) return null;
    try {
      text = sealerWith(keyOf(text)).open(sealedSuccessor, placeOf(generation));
    } catch {
      return null;
    }
  }
  return text;
}

function keyOf(token: string): Buffer {
  return deriveKey(Buffer.from(token), PURPOSE);
}
