import { deriveKey, sealerWith } from '../../../libs/signing/index.js';

const PURPOSE = 'service/refresh-successor/v1';
/** Maximum number of generations that a retry may skip. */
export const MAX_STEPS = 5;

/** A refresh token that was replaced. */
export interface ReplacedToken {
  generation: number;
  issuedAt: Date;
  /** By the database's clock: with process clocks a minute apart, a retry would look like a theft. */
  replacedAgoMs: number;
  /** The next token, sealed with this token; null once it is no longer needed. */
  sealedSuccessor: string | null;
}

/** The refresh token that has not been replaced. */
export interface CurrentToken {
  generation: number;
  /** When one of its access tokens was first used; null: the client may never have received it. */
  usedAt: Date | null;
}

export interface RepetitionRules {
  nowMs: number;
  lifetimeMs: number;
  /** 0: a replaced token never works again. */
  graceMs: number;
}

/** `repeat` returns the current token again, `expired` nothing, and `reuse` ends the session: one holder is a thief. */
export type ReplacedTokenDecision = 'repeat' | 'expired' | 'reuse';

/**
 * Distinguishes a retry from the reuse of a stolen token. Clients that share a stored token, or lose a response to a
 * network failure, present a token that has just been replaced, or whose successor they have never used.
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

/** Only a client that presents `token` can open the result: neither the database nor the server's keys are enough. */
export function sealSuccessor(token: string, successor: string, place: string): string {
  return sealerWith(keyOf(token)).seal(successor, place);
}

/**
 * Opens each successor with the token before it, from the presented one to the current one; null if one is missing or
 * does not match.
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
