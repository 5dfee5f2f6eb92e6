import { isDotSegment } from '../../kernel/index.js';
import { attributeValues } from '../base-properties.js';
import type { Call, Definition, Delivery, SettingsProblem } from '../definition.js';
import { type MapSchema, settings, text, toggle } from '../settings/settings-schema.js';
import { fillTemplate, fillText, problemOfTemplate, problemOfText } from '../texts/template.js';
import { environmentsOf, isSandbox, noSandboxKey, testDelivery } from './requests.js';

type HttpSettings = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
  content_type: string;
  ordered: boolean;
  send_sandbox: boolean;
};

const MAX_HEADERS = 20;
const FORBIDDEN_HEADERS = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
];
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const HEADER_VALUE = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;

/** Scheme, host and port: a placeholder there could send the secrets elsewhere. */
const ORIGIN = /^https?:\/\/[^/?#\\{}@\s]+(?=[/?#]|$)/i;

const rootsOf = (delivery: Delivery) => ({
  event: delivery.event,
  customer: {
    attributes: { ...attributeValues(delivery.event), ...delivery.customer.attributes },
    status: delivery.customer.status,
    entitlements: delivery.customer.entitlements,
  },
  revenue: delivery.revenue,
  kind: delivery.kind ?? delivery.event.type.toLowerCase(),
  name: delivery.name,
  destination: { name: delivery.destinationName },
});

const encodeValue = (value: string) => encodeURIComponent(value.toWellFormed());

/** Null if a value would change the host, or the folder of the address. */
function urlOf(template: string, roots: object): string | null {
  const url = fillText(template, roots, encodeValue);
  const [path = ''] = url.replace(ORIGIN, '').split(/[?#]/);
  if (path.split('/').some((segment) => isDotSegment(segment)) || !URL.canParse(url)) return null;
  return new URL(url).origin === new URL(ORIGIN.exec(template)?.[0] ?? url).origin ? url : null;
}

/** A form has no types: null is empty, and whole objects are JSON. */
function formText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bodyOf({ body, content_type }: HttpSettings, roots: object): string {
  const filled = fillTemplate(body, roots);
  if (content_type !== 'form') return JSON.stringify(filled);
  const fields = Object.entries(filled as Record<string, unknown>);
  return new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, formText(value)]),
  ).toString();
}

/** Null if an attribute cannot be part of the address or a header. */
function callOf(delivery: Delivery, own: HttpSettings): Call | null {
  const roots = rootsOf(delivery);
  const url = urlOf(own.url, roots);
  const headers = Object.entries(own.headers).map(
    ([name, value]) => [name.toLowerCase(), fillText(value, roots)] as const,
  );
  if (url === null || !headers.every(([, value]) => HEADER_VALUE.test(value))) return null;
  return {
    method: own.method as Call['method'],
    url,
    headers: {
      'content-type': own.content_type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
      ...Object.fromEntries(headers),
      'idempotency-key': delivery.event.id,
    },
    body: bodyOf(own, roots),
  };
}

function problemOfHeaders(headers: Record<string, string>): SettingsProblem | null {
  if (Object.keys(headers).length > MAX_HEADERS)
    return { param: 'settings.headers', message: `Enter at most ${MAX_HEADERS} headers.` };
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const isAllowed =
      HEADER_NAME.test(name) && !FORBIDDEN_HEADERS.includes(lower) && !lower.startsWith('proxy-');
    const message = isAllowed ? problemOfText(value) : 'This header cannot be set.';
    if (message !== null) return { param: `settings.headers.${name}`, message };
  }
  return null;
}

const isFlat = (body: unknown) =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.values(body).every((value) => typeof value === 'string' || typeof value === 'number');

const headersSchema: MapSchema = {
  type: 'object',
  title: 'Headers',
  properties: {},
  additionalProperties: text('Value', { writeOnly: true }),
  default: {},
};

export const http: Definition<HttpSettings> = {
  id: 'http',
  name: 'HTTP',
  category: 'http',
  description: 'Sends a request of your own to any address.',
  settings: settings(
    {
      url: text('URL', { description: 'Placeholders may stand in the path and in the query.' }),
      method: text('Method', { enum: ['POST', 'PUT', 'PATCH'], default: 'POST' }),
      headers: headersSchema,
      body: { title: 'Body', default: { event: '{{event}}', customer: '{{customer}}' } },
      content_type: text('Content type', { enum: ['json', 'form'], default: 'json' }),
      ordered: toggle("Send a customer's events in their order", false),
      send_sandbox: toggle('Send sandbox events', true),
    },
    ['url'],
  ),
  addresses: ['url'],
  names: {},
  reads: [],
  requires: [],
  sendsFreeAccess: true,
  capabilities: { negative_revenue: true, sandbox: true, profile: false, transfer: true },
  deduplicates: false,
  maxAgeMs: null,
  paceMs: null,
  maxBodyBytes: 512_000,
  environments: ({ send_sandbox }) => environmentsOf(send_sandbox),
  checkSettings({ url, headers, body, content_type }) {
    const urlProblem =
      ORIGIN.test(url) && URL.canParse(fillText(url, {}))
        ? problemOfText(url)
        : 'Enter an address whose scheme, host and port are fixed.';
    if (urlProblem !== null) return { param: 'settings.url', message: urlProblem };
    const bodyProblem =
      problemOfTemplate(body) ??
      (content_type === 'form' && !isFlat(body) ? 'A form is an object of texts and numbers.' : null);
    return bodyProblem === null
      ? problemOfHeaders(headers)
      : { param: 'settings.body', message: bodyProblem };
  },
  plan(delivery, own) {
    if (isSandbox(delivery) && !own.send_sandbox) return noSandboxKey;
    const call = callOf(delivery, own);
    return call === null
      ? { skip: 'bad_attribute', detail: 'An attribute cannot be part of the address or a header.' }
      : { send: [call] };
  },
  // As for webhooks, every other answer is tried again.
  verdict({ status }) {
    if (status === 410 || status === 429 || (status >= 200 && status < 300)) return null;
    return { class: 'retry' };
  },
  test(context, own) {
    const delivery = { ...testDelivery(context), event: context.webhookEvent, name: 'test' };
    const problem = { param: 'settings.url', message: 'The address cannot be filled in.' };
    return callOf(delivery, own) ?? problem;
  },
};
