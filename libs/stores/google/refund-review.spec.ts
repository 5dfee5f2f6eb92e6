import { type GoogleRefund, googleRefundAnswer, type UsageEvent } from './refund-review.js';

const refund: GoogleRefund = {
  preference: 'neutral',
  sampleContentProvided: false,
  consumedShare: undefined,
  hasConsent: true,
  daysSeen: null,
  obfuscatedAccountId: 'account-1',
  evidence: [],
};

const answer = (more: Partial<GoogleRefund>) => googleRefundAnswer({ ...refund, ...more });
const days = ['2026-11-03', '2026-11-01', '2026-11-12'];
const given: UsageEvent = { consumptionItemDescription: 'Level 4', ipAddress: '203.0.113.7' };

function dayNumber(index: number): string {
  return new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);
}

describe('an answer to a review of a chargeback', () => {
  it.each([
    ['grant_full', 'APPROVE'],
    ['decline', 'DECLINE'],
    ['neutral', 'NEUTRAL'],
    ['grant_prorated', 'NEUTRAL'],
  ] as const)('states the preference %s as %s', (preference, refundPreference) => {
    expect(answer({ preference })).toEqual({ sampleContentProvided: false, refundPreference });
  });

  it('states the consumed share, if it is known', () => {
    expect(answer({ consumedShare: 0 }).consumptionPercentageMilliunits).toBe(0);
    expect(answer({ consumedShare: 68_000 }).consumptionPercentageMilliunits).toBe(68_000);
  });

  it('leaves out the usage of a customer without consent, and of an app that sends none', () => {
    expect(answer({ daysSeen: days, evidence: [given], hasConsent: false })).not.toHaveProperty(
      'consumptionUsageEvents',
    );
    expect(answer({ daysSeen: null })).not.toHaveProperty('consumptionUsageEvents');
  });

  it('lists the days on which the customer was seen, newest first, without a time', () => {
    expect(answer({ daysSeen: days }).consumptionUsageEvents).toEqual(
      ['2026-11-12', '2026-11-03', '2026-11-01'].map((day) => ({
        obfuscatedAccountId: 'account-1',
        consumptionItemDescription: `App opened on ${day} (UTC)`,
      })),
    );
  });

  it('names no account if Google reported none', () => {
    expect(answer({ daysSeen: ['2026-11-03'], obfuscatedAccountId: null }).consumptionUsageEvents).toEqual([
      { consumptionItemDescription: 'App opened on 2026-11-03 (UTC)' },
    ]);
  });

  it('lists at most 100 days', () => {
    const events = answer({ daysSeen: Array.from({ length: 120 }, (_, index) => dayNumber(index)) });
    expect(events.consumptionUsageEvents).toHaveLength(100);
    expect(events.consumptionUsageEvents?.[0]?.consumptionItemDescription).toContain(dayNumber(119));
  });

  it('lists evidence of the developer before the days, and at most 1,000 together', () => {
    expect(answer({ evidence: [given] }).consumptionUsageEvents).toEqual([given]);
    const both = answer({ evidence: Array.from({ length: 999 }, () => given), daysSeen: days });
    expect(both.consumptionUsageEvents).toHaveLength(1_000);
    expect(both.consumptionUsageEvents?.[0]).toEqual(given);
    expect(both.consumptionUsageEvents?.[999]?.consumptionItemDescription).toContain('2026-11-12');
  });
});
