import { outcomeAt } from './retention-outcome.policy.js';

const DAY_MS = 86_400_000;
const END_MS = 1_000 * DAY_MS;
const state = {
  status: 'active' as const,
  autoRenewalStatus: 'will_renew' as const,
  periodStartedAtMs: END_MS - 30 * DAY_MS,
  periodEndsAtMs: END_MS,
};
const renewedState = { ...state, periodStartedAtMs: END_MS, periodEndsAtMs: END_MS + 30 * DAY_MS };
const asked = { autoRenewAfter24h: null, periodEndsAt: new Date(END_MS) };
const afterADay = END_MS - 10 * DAY_MS;

describe('the outcome of a retention request', () => {
  it('records after a day that the subscription is still to renew, and waits for the end', () => {
    expect(outcomeAt(asked, state, afterADay)).toEqual({
      autoRenewAfter24h: true,
      renewed: null,
      dueAt: new Date(END_MS + DAY_MS),
    });
  });

  it('records that renewal was turned off', () => {
    const off = { ...state, autoRenewalStatus: 'will_not_renew' as const };
    expect(outcomeAt(asked, off, afterADay).autoRenewAfter24h).toBe(false);
  });

  it('counts a change of product as a renewal', () => {
    const changing = { ...state, autoRenewalStatus: 'will_change_product' as const };
    expect(outcomeAt(asked, changing, afterADay).autoRenewAfter24h).toBe(true);
  });

  it('records a day after the end whether the subscription renewed', () => {
    const later = { ...asked, autoRenewAfter24h: true };
    const at = END_MS + DAY_MS;
    expect(outcomeAt(later, renewedState, at)).toEqual({
      autoRenewAfter24h: true,
      renewed: true,
      dueAt: null,
    });
    const expired = { ...state, status: 'expired' as const };
    expect(outcomeAt(later, expired, at)).toEqual({ autoRenewAfter24h: true, renewed: false, dueAt: null });
  });

  it('keeps what was known after a day', () => {
    const later = { ...asked, autoRenewAfter24h: false };
    expect(outcomeAt(later, renewedState, END_MS + DAY_MS).autoRenewAfter24h).toBe(false);
  });

  it('counts a longer period as renewed', () => {
    const extended = { ...state, periodEndsAtMs: END_MS + 5 * DAY_MS };
    expect(outcomeAt(asked, extended, END_MS + DAY_MS).renewed).toBe(true);
  });

  it('ends without results for a deleted subscription', () => {
    expect(outcomeAt(asked, null, afterADay)).toEqual({
      autoRenewAfter24h: null,
      renewed: null,
      dueAt: null,
    });
  });
});
