import { requiredIdsNote, sendsAttributes, whatIsSent } from './what-is-sent.js';

const HOUR_MS = 3_600_000;

const none = { negative_revenue: false, sandbox: true, profile: false, transfer: false, deduplicates: false };
const segment = {
  name: 'Segment',
  category: 'analytics' as const,
  reads_attributes: ['$segmentId'],
  requires_attributes: [],
  capabilities: { ...none, profile: true, negative_revenue: true },
  max_age_ms: null,
};
const meta = {
  name: 'Meta',
  category: 'attribution' as const,
  reads_attributes: ['$fbAnonId', '$idfa', '$email', '$ip'],
  requires_attributes: ['$fbAnonId', '$idfa', '$attConsentStatus'],
  capabilities: none,
  max_age_ms: 167 * HOUR_MS,
};
const slack = {
  ...segment,
  name: 'Slack',
  category: 'chat' as const,
  reads_attributes: [],
  capabilities: none,
};

describe('what a destination sends', () => {
  it('names identity, properties and personal data of a tool with profiles', () => {
    expect(whatIsSent(segment)).toEqual([
      ['Identity', '$segmentId if set, else the app user id.'],
      [
        'Properties',
        'Product, store, dates and revenue in USD. The status of the subscription, also in the profile in Segment. Refunds have negative revenue.',
      ],
      ['Personal data', 'App user id and attributes of customers.'],
    ]);
    expect(sendsAttributes(segment)).toBe(true);
    expect(requiredIdsNote(segment)).toBeNull();
  });

  it('names required ids and how long an event waits for them', () => {
    expect(whatIsSent(meta)[0]![1]).toBe('$fbAnonId or $idfa, and the app user id.');
    expect(whatIsSent(meta)[2]![1]).toBe(
      'App user id, advertising ids, email and phone number as SHA-256 hashes and IP address.',
    );
    expect(requiredIdsNote(meta)).toContain(
      'Meta needs $fbAnonId or $idfa. On Apple devices, $attConsentStatus must be authorized, too.',
    );
    expect(requiredIdsNote(meta)).toContain('up to 7 days');
    expect(requiredIdsNote({ ...meta, max_age_ms: null })).toContain('up to 30 days');
  });

  it('sends no attributes to chats', () => {
    expect(whatIsSent(slack)[2]![1]).toBe('App user id.');
    expect(sendsAttributes(slack)).toBe(false);
  });
});
