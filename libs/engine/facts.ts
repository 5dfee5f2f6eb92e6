import { canonicalJson } from '../kernel/index.js';
import { type ChainFacts, type OneTimeFacts, type Register, sources } from './model.js';

export const noChainFacts: ChainFacts = {
  periods: {},
  refunds: {},
  renewal: null,
  replaced: null,
  pending: null,
  hints: null,
};

export const noOneTimeFacts: OneTimeFacts = { purchase: null, refund: null, hints: null };

/** A total order of statements: newer first, then the more trusted source, then the text itself. */
function beats<T>(a: Register<T>, b: Register<T>): boolean {
  if (a.at !== b.at) return a.at > b.at;
  if (a.src !== b.src) return sources.indexOf(a.src) < sources.indexOf(b.src);
  return canonicalJson(a.value) > canonicalJson(b.value);
}

function mergeRegister<T>(a: Register<T> | null, b: Register<T> | null): Register<T> | null {
  if (a === null || b === null) return a ?? b;
  return beats(b, a) ? b : a;
}

function mergeKeyed<T>(
  a: Record<string, Register<T>>,
  b: Record<string, Register<T>>,
): Record<string, Register<T>> {
  const merged = { ...a };
  for (const [key, register] of Object.entries(b)) {
    const known = merged[key];
    merged[key] = known === undefined || beats(register, known) ? register : known;
  }
  return merged;
}

/** Commutative, associative and idempotent: arrival order and repetition do not matter. */
export function mergeChainFacts(a: ChainFacts, b: ChainFacts): ChainFacts {
  return {
    periods: mergeKeyed(a.periods, b.periods),
    refunds: mergeKeyed(a.refunds, b.refunds),
    renewal: mergeRegister(a.renewal, b.renewal),
    replaced: mergeRegister(a.replaced, b.replaced),
    pending: mergeRegister(a.pending, b.pending),
    hints: mergeRegister(a.hints, b.hints),
  };
}

/** As `mergeChainFacts`, for a one-time purchase. */
export function mergeOneTimeFacts(a: OneTimeFacts, b: OneTimeFacts): OneTimeFacts {
  return {
    purchase: mergeRegister(a.purchase, b.purchase),
    refund: mergeRegister(a.refund, b.refund),
    hints: mergeRegister(a.hints, b.hints),
  };
}
