import { chatMessage, escapeDiscord } from '../texts/chat-text.js';
import type { Definition, Delivery } from '../definition.js';
import type { DigestMessage } from '../event.js';
import { secret, settings, toggle } from '../settings/settings-schema.js';
import { limited, objectOf, refused } from '../verdicts.js';
import { chatDefaults, isSandbox, jsonCall, noSandboxKey } from './requests.js';

type DiscordSettings = { url: string; send_sandbox: boolean };

const WEBHOOK_URL = '^https://((ptb|canary)\\.)?discord(app)?\\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]+$';
const GOOD = 5_763_719;
const BAD = 15_548_997;

/** No text of a customer mentions anyone. */
const shared = { username: 'Tenure', allowed_mentions: { parse: [] } };

function bodyOf(delivery: Delivery) {
  const { prefix, customerId, customerUrl, sentence, isGood, fields } = chatMessage(delivery);
  const id = escapeDiscord(customerId);
  const customer = customerUrl === null ? id : `[${id}](${customerUrl})`;
  const embed = {
    description: `${prefix}Customer ${customer} ${sentence}`,
    color: isGood ? GOOD : BAD,
    fields: fields.map(({ title, value }) => ({ name: title, value: escapeDiscord(value), inline: true })),
    timestamp: new Date(delivery.at).toISOString(),
  };
  return { ...shared, embeds: [embed] };
}

function digestBodyOf({ heading, lines, url }: DigestMessage, atMs: number) {
  const embed = {
    title: escapeDiscord(heading),
    url,
    description: lines.map(escapeDiscord).join('\n'),
    color: GOOD,
    timestamp: new Date(atMs).toISOString(),
  };
  return { ...shared, embeds: [embed] };
}

export const discord: Definition<DiscordSettings> = {
  ...chatDefaults,
  id: 'discord',
  name: 'Discord',
  description: 'Posts a message to a channel.',
  settings: settings(
    { url: secret('Webhook URL', WEBHOOK_URL), send_sandbox: toggle('Send sandbox events', false) },
    ['url'],
  ),
  paceMs: 2_100,
  maxBodyBytes: 8_000,
  plan(delivery, { url, send_sandbox }) {
    if (isSandbox(delivery) && !send_sandbox) return noSandboxKey;
    return { send: [jsonCall(`${url}?wait=true`, bodyOf(delivery))] };
  },
  digest: (message, atMs, { url }) => jsonCall(`${url}?wait=true`, digestBodyOf(message, atMs)),
  verdict(response) {
    const { status } = response;
    if (status === 401 || status === 403 || status === 404) return refused(objectOf(response).message);
    return status === 429 ? limited(Number(objectOf(response).retry_after) * 1000) : null;
  },
  test: ({ projectName }, { url }) => {
    const content = `Test message from Tenure. This channel is connected to **${escapeDiscord(projectName)}**.`;
    return jsonCall(`${url}?wait=true`, { ...shared, content });
  },
};
