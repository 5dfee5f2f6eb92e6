import { chatMessage, escapeSlack } from '../texts/chat-text.js';
import type { Definition, Delivery } from '../definition.js';
import type { DigestMessage } from '../event.js';
import { secret, settings, toggle } from '../settings/settings-schema.js';
import { refused } from '../verdicts.js';
import { chatDefaults, isSandbox, jsonCall, noSandboxKey } from './requests.js';

type SlackSettings = { url: string; send_sandbox: boolean };

const WEBHOOK_URL = '^https://hooks\\.slack\\.com/services/[A-Za-z0-9]+/[A-Za-z0-9]+/[A-Za-z0-9]+$';
const GOOD = '#30B296';
const BAD = '#F2545B';
const REFUSALS = ['no_service', 'invalid_token', 'channel_not_found', 'action_prohibited'];

/** Without a `text`, which Slack would show in addition. */
function bodyOf(delivery: Delivery) {
  const { prefix, customerId, customerUrl, sentence, isGood, fields } = chatMessage(delivery);
  const id = escapeSlack(customerId);
  const customer = customerUrl === null ? id : `<${customerUrl}|${id}>`;
  const attachment = {
    fallback: `${prefix}Customer ${id} ${sentence}`,
    color: isGood ? GOOD : BAD,
    fields: [
      { value: `${prefix}Customer ${customer} ${sentence}` },
      ...fields.map(({ title, value }) => ({ title, value: escapeSlack(value) })),
    ],
    ts: Math.floor(delivery.at / 1000),
  };
  return { attachments: [attachment] };
}

function digestBodyOf({ heading, lines, url }: DigestMessage, atMs: number) {
  const title = escapeSlack(heading);
  const text = lines.map(escapeSlack).join('\n');
  const attachment = {
    fallback: title,
    color: GOOD,
    title,
    title_link: url,
    text,
    ts: Math.floor(atMs / 1000),
  };
  return { attachments: [attachment] };
}

export const slack: Definition<SlackSettings> = {
  ...chatDefaults,
  id: 'slack',
  name: 'Slack',
  description: 'Posts a message to a channel.',
  settings: settings(
    {
      url: secret(
        'Webhook URL',
        WEBHOOK_URL,
        'Of an incoming webhook. Addresses of workflows take other messages.',
      ),
      send_sandbox: toggle('Send sandbox events', false),
    },
    ['url'],
  ),
  paceMs: 1_100,
  maxBodyBytes: 40_000,
  plan(delivery, { url, send_sandbox }) {
    if (isSandbox(delivery) && !send_sandbox) return noSandboxKey;
    return { send: [jsonCall(url, bodyOf(delivery))] };
  },
  digest: (message, atMs, { url }) => jsonCall(url, digestBodyOf(message, atMs)),
  verdict({ status, body }) {
    if (status < 400 || status === 410 || status === 429) return null;
    return status === 403 || status === 404 || REFUSALS.some((text) => body.includes(text))
      ? refused(body)
      : null;
  },
  test: ({ projectName }, { url }) =>
    jsonCall(url, {
      text: `Test message from Tenure. This channel is connected to *${escapeSlack(projectName)}*.`,
    }),
};
