import fc from 'fast-check';
import { bodyOf, callsOf, renewalWith } from '../testing/fixture.js';
import type { DestinationEvent, Kind } from '../event.js';
import { sampleEvent } from '../sample-event.js';
import { escapeDiscord, escapeSlack } from './chat-text.js';

const RUNS = { numRuns: 1000 };
const hostileId = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'<>&|!@#*_~`[]()\\:- \n\u202e\u2066\u0007ax') }),
  fc.constantFrom(
    '<!channel>',
    '<https://evil.example|click>',
    '@everyone',
    '[a](https://evil.example)',
    '> quote',
  ),
);

const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const slackText = (event: DestinationEvent, customerUrl: string | null = null) =>
  (bodyOf('slack', {}, event, { customerUrl }) as { attachments: { fields: { value: string }[] }[] })
    .attachments[0]?.fields[0]?.value ?? '';

describe('an escaped text', () => {
  it('contains no command, link or control character in Slack', () => {
    fc.assert(
      fc.property(hostileId, (id) => {
        const escaped = escapeSlack(id);
        expect(escaped).not.toMatch(/[<>|]/);
        expect(escaped.replace(/&(amp|lt|gt);/g, '')).not.toContain('&');
        expect(escaped).not.toMatch(UNPRINTABLE);
      }),
      RUNS,
    );
  });

  it('escapes every character of Markdown in Discord', () => {
    fc.assert(
      fc.property(hostileId, (id) => {
        const escaped = escapeDiscord(id);
        expect(escaped.replace(/\\[\\*_~`|>#[\]()<@:-]/g, '')).not.toMatch(/[\\*_~`|>#[\]()<@:-]/);
        expect(escaped).not.toMatch(UNPRINTABLE);
      }),
      RUNS,
    );
  });

  it('adds no link to a message besides ours', () => {
    fc.assert(
      fc.property(hostileId, (id) => {
        const url = `https://tenure.example.com/customers/${encodeURIComponent(id.toWellFormed())}`;
        const text = slackText(renewalWith({ app_user_id: id, product_id: id }), url);
        expect(text).toMatch(/^Customer <https:\/\/tenure\.example\.com\/[^<>|]*\|[^<>|]*> just renewed/s);
        const [call] = callsOf('discord', {}, renewalWith({ app_user_id: id, product_id: id }), {
          customerUrl: url,
        });
        expect(JSON.parse(call?.body ?? '')).toMatchObject({ allowed_mentions: { parse: [] } });
      }),
      RUNS,
    );
  });

  it('cuts an id to 60 characters', () => {
    expect(slackText(renewalWith({ app_user_id: 'x'.repeat(61) }))).toBe(
      `Customer ${'x'.repeat(60)} just renewed their subscription.`,
    );
  });
});

describe('the sentence', () => {
  it.each<[Kind | DestinationEvent, string]>([
    ['initial_purchase', 'just started a subscription.'],
    ['trial_started', 'just started a free trial.'],
    ['trial_converted', 'just converted from a free trial.'],
    ['trial_cancelled', 'just cancelled their free trial.'],
    ['renewal', 'just renewed their subscription.'],
    ['cancellation', 'just cancelled their subscription.'],
    [{ ...sampleEvent('cancellation'), price: -9.99 }, 'got a refund.'],
    ['non_subscription_purchase', 'just made a purchase.'],
    [
      { ...sampleEvent('initial_purchase'), period_type: 'PROMOTIONAL', store: 'PROMOTIONAL' },
      'was granted access.',
    ],
    ['billing_issue', 'got a billing issue.'],
    ['product_change', 'just changed the product of their subscription.'],
  ])('says of %j: %s', (event, sentence) => {
    expect(slackText(typeof event === 'string' ? sampleEvent(event) : event)).toBe(
      `Customer ada ${sentence}`,
    );
  });

  it('begins with [Sandbox] for a test purchase', () => {
    const event = renewalWith({ environment: 'SANDBOX' });
    const body = bodyOf('slack', { settings: { send_sandbox: true } }, event);
    expect(JSON.stringify(body)).toContain('"value":"[Sandbox] Customer ');
  });
});

describe('the revenue in a message', () => {
  it.each<[object, string | null]>([
    [{ price: 9.99 }, '$9.99'],
    [{ price: 1234.5 }, '$1,234.50'],
    [{ price: 0 }, null],
    [{ price: -9.99 }, null],
    [{ price: null, price_in_purchased_currency: 9.99, currency: 'EUR' }, '€9.99'],
    [{ price: null, price_in_purchased_currency: 5, currency: 'gems' }, '5.00 gems'],
    [{ price: null, price_in_purchased_currency: null }, null],
  ])('follows from %j: %s', (change, shown) => {
    const body = JSON.stringify(bodyOf('slack', {}, renewalWith(change)));
    if (shown === null) expect(body).not.toContain('Revenue');
    else expect(body).toContain(`{"title":"Revenue","value":"${shown}"}`);
  });
});
