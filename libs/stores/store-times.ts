import { isStoreTime } from '../kernel/index.js';
import type { StoreAdapter, VerificationFailure } from './contract.js';

/** Field names of times in facts. */
const TIME = /^at$|Ms$/;

/** Path of the first time that no store can have meant, or null. */
export function impossibleTimeIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'number' && TIME.test(name) && !isStoreTime(inner)) return name;
    const path = impossibleTimeIn(inner);
    if (path !== null) return `${name}.${path}`;
  }
  return null;
}

/** The failure for an answer with such a time. The purchase stays, and the store is asked again. */
export function impossibleTimes(answer: object): VerificationFailure | null {
  const path = impossibleTimeIn(answer);
  if (path === null) return null;
  const message = `The answer of the store has an impossible time (${path}).`;
  return { failure: 'temporary', code: 7101, message };
}

/** Wraps an adapter to reject answers with impossible times. Signed data was already checked with its signature. */
export function withPossibleTimes(adapter: StoreAdapter): StoreAdapter {
  const checked = async <Answer extends object>(
    asked: Promise<Answer>,
  ): Promise<Answer | VerificationFailure> => {
    const answer = await asked;
    return impossibleTimes(answer) ?? answer;
  };
  const { store } = adapter;
  const refresh = adapter.refresh?.bind(adapter);
  const order = adapter.order?.bind(adapter);
  const lookUp = adapter.lookUp?.bind(adapter);
  const identify = adapter.identify?.bind(adapter);
  const all: { [Name in keyof Required<StoreAdapter>]: StoreAdapter[Name] } = {
    store,
    verify: (receipt, context) => checked(adapter.verify(receipt, context)),
    verifyInstallation: adapter.verifyInstallation?.bind(adapter),
    refresh: refresh && ((key, environment) => checked(refresh(key, environment))),
    order: order && ((orderId) => checked(order(orderId))),
    lookUp: lookUp && ((named) => checked(lookUp(named))),
    identify: identify && ((transactionId) => checked(identify(transactionId))),
    keysOfOrders: adapter.keysOfOrders?.bind(adapter),
  };
  return all;
}
