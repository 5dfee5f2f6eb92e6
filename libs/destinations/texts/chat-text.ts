import type { Delivery } from '../definition.js';
import { isGrant, type Kind } from '../event.js';
import { cutText } from './identifiers.js';

/** Control characters, and those that change the direction or the line of a text. */
const UNPRINTABLE = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** Slack reads `<!channel>` and `<https://host|text>` as commands. */
export function escapeSlack(text: string): string {
  return text
    .replace(UNPRINTABLE, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('|', '¦');
}

export function escapeDiscord(text: string): string {
  return text.replace(UNPRINTABLE, ' ').replace(/[\\*_~`|>#[\]()<@:-]/g, '\\$&');
}

const sentences: Partial<Record<Kind, readonly [sentence: string, isGood: boolean]>> = {
  initial_purchase: ['just started a subscription.', true],
  trial_started: ['just started a free trial.', true],
  trial_converted: ['just converted from a free trial.', true],
  trial_cancelled: ['just cancelled their free trial.', false],
  renewal: ['just renewed their subscription.', true],
  cancellation: ['just cancelled their subscription.', false],
  non_subscription_purchase: ['just made a purchase.', true],
  billing_issue: ['got a billing issue.', false],
  product_change: ['just changed the product of their subscription.', true],
};

/** Chat tools have sentences instead of names; a name only switches a kind on. */
export const chatNames: Partial<Record<Kind, string>> = Object.fromEntries(
  Object.entries(sentences).map(([kind, [sentence]]) => [kind, sentence]),
);

function sentenceOf({ event, kind, revenue, purchasedRevenue }: Delivery): readonly [string, boolean] {
  if (kind === 'cancellation' && (revenue ?? purchasedRevenue ?? 0) < 0) return ['got a refund.', false];
  if (kind === 'non_subscription_purchase' && isGrant(event)) return ['was granted access.', true];
  return (kind && sentences[kind]) ?? ['', true];
}

/** Creating a formatter takes longer than everything else in a message. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(currency: string): Intl.NumberFormat {
  const known = formatters.get(currency);
  if (known) return known;
  const formatter = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  formatters.set(currency, formatter);
  return formatter;
}

/** In USD; a price that cannot be converted is shown in its own currency. */
function amountOf({ event, revenue, purchasedRevenue }: Delivery): string | null {
  const [amount, currency] = revenue === null ? [purchasedRevenue, event.currency] : [revenue, 'USD'];
  if (amount === null || !(amount > 0) || !currency) return null;
  return /^[A-Z]{3}$/.test(currency)
    ? formatterOf(currency).format(amount)
    : `${amount.toFixed(2)} ${currency}`;
}

const LONGEST_ID = 60;

export interface ChatMessage {
  /** `[Sandbox]`, or empty. */
  prefix: string;
  customerId: string;
  customerUrl: string | null;
  sentence: string;
  isGood: boolean;
  fields: { title: string; value: string }[];
}

/** The message about an event, not yet escaped. */
export function chatMessage(delivery: Delivery): ChatMessage {
  const { event, customerUrl } = delivery;
  const [sentence, isGood] = sentenceOf(delivery);
  const product = event.product_id ?? null;
  const amount = amountOf(delivery);
  return {
    prefix: event.environment === 'SANDBOX' ? '[Sandbox] ' : '',
    customerId: cutText(event.app_user_id ?? '', LONGEST_ID),
    // Both tools end a link at one of these.
    customerUrl:
      customerUrl?.replace(/[()<>|\s]/g, (character) => `%${character.charCodeAt(0).toString(16)}`) ?? null,
    sentence,
    isGood,
    fields: [
      ...(product === null ? [] : [{ title: 'Product', value: product }]),
      ...(amount === null ? [] : [{ title: 'Revenue', value: amount }]),
    ],
  };
}
