import { realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildOrExit } from './build.mjs';

/**
 * Prints the events of a project as they happen and forwards them, signed as webhooks are, to a URL that only this
 * machine reaches: `npm run webhooks:listen -- --forward http://localhost:3000/hook --key sk_…`.
 */
const USAGE = `npm run webhooks:listen -- --key sk_… [--forward http://localhost:3000/hook]
  --key      a secret key of the project with project_configuration:integrations:read_write
             (or the environment variable TENURE_KEY)
  --forward  where to send the events; without it they are only printed
  --server   address of the server (default http://localhost:8787)
  --secret   signing secret (whsec_…) for the forwarded requests; without it one is made and printed
  --types    only these event types, separated by commas
  --project  id of the project (default: the one of the key)
`;

const POLL_MS = 1000;
/** An event shows up when its transaction ends, which may be a little after the time that it bears. */
const OVERLAP_MS = 60_000;
const FORWARD_TIMEOUT_MS = 60_000;

async function getJson(url, key, signal) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal }).catch(
    (error) => {
      const reason = error.cause?.code || error.cause?.message || error.message;
      const what = `No server answers at ${new URL(url).origin} (${reason})`;
      throw new Error(`${what}. Start it, or name its address with --server.`, { cause: error.cause });
    },
  );
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    const error = new Error(`${response.status} ${body.message ?? response.statusText}`);
    // An answer to a wrong key or path will not change.
    error.fatal = response.status < 500 && response.status !== 429;
    throw error;
  }
  return { body, atMs: Date.parse(response.headers.get('date')) };
}

/** Sends one event as a webhook; gives a line about the answer. */
async function forward(event, { forwardTo, secret, sign, signal }) {
  const startedAt = performance.now();
  try {
    const response = await fetch(forwardTo, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...sign(event, secret) },
      body: event.payload,
      signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return `${response.status} in ${Math.round(performance.now() - startedAt)} ms`;
  } catch (error) {
    return `failed: ${error.cause?.code ?? error.name}`;
  }
}

/**
 * Follows the events until `signal` is aborted. A server that goes away is waited for.
 * @throws Error for a refused key or an unknown project
 */
export async function listen({ server, key, project, types, forwardTo, secret, sign, print, signal }) {
  const known = project === undefined ? '' : `/${project}/webhooks/events`;
  const first = await getJson(`${server}/v2/projects${known}?limit=1`, key, signal);
  const projectId = project ?? first.body.items[0]?.id;
  const startMs = first.atMs;
  /** Ids that were printed, with the time that each event bears. */
  const seen = new Map();
  let newestMs = startMs;
  print(`listening to project ${projectId} at ${server}`);

  const show = async (event) => {
    seen.set(event.id, event.created_at);
    newestMs = Math.max(newestMs, event.created_at);
    if (types.length > 0 && !types.includes(event.type)) return;
    const about = JSON.parse(event.payload).event.app_user_id ?? '';
    const outcome =
      forwardTo === undefined ? '' : ` -> ${await forward(event, { forwardTo, secret, sign, signal })}`;
    print(`${new Date(event.created_at).toISOString()} ${event.type} ${event.id} ${about}${outcome}`);
  };

  const poll = async () => {
    const sinceMs = Math.max(startMs, newestMs - OVERLAP_MS);
    let next = `/v2/projects/${projectId}/webhooks/events?since=${sinceMs}&limit=100`;
    while (next !== null && !signal.aborted) {
      const { body } = await getJson(server + next, key, signal);
      for (const event of body.items) if (!seen.has(event.id)) await show(event);
      next = body.next_page;
    }
    for (const [id, atMs] of seen) if (atMs < sinceMs) seen.delete(id);
  };

  let away = false;
  while (!signal.aborted) {
    try {
      await poll();
      if (away) print('the server is back');
      away = false;
    } catch (error) {
      if (signal.aborted) return;
      if (error.fatal) throw error;
      if (!away) print(`the server does not answer (${error.cause?.code ?? error.message}); trying again`);
      away = true;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The server's own way to make and use a secret, so that a forwarded event looks like a delivery. */
async function signing() {
  await buildOrExit();
  const { newWebhookSecret } = await import('../dist/libs/kernel/index.js');
  const { signedHeaders } = await import('../dist/src/webhooks/webhooks/deliveries/delivery-request.js');
  const sign = (event, secret) =>
    signedHeaders(
      { eventId: event.id, replay: false },
      { signing: [secret], authorization: null },
      Math.floor(Date.now() / 1000),
      event.payload,
    );
  return { newWebhookSecret, sign };
}

async function main() {
  const text = { type: 'string' };
  const options = { key: text, forward: text, server: text, secret: text, types: text, project: text };
  const { values } = parseArgs({ options });
  const key = values.key ?? process.env.TENURE_KEY;
  if (!key || [values.forward, values.server].some((url) => url !== undefined && !URL.canParse(url))) {
    process.stderr.write(USAGE);
    process.exit(2);
  }
  const { newWebhookSecret, sign } = await signing();
  const secret = values.secret ?? newWebhookSecret();
  if (values.forward && !values.secret) process.stdout.write(`signing secret of this session: ${secret}\n`);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  await listen({
    server: (values.server ?? 'http://localhost:8787').replace(/\/+$/, ''),
    key,
    project: values.project,
    types: (values.types ?? '')
      .split(',')
      .filter(Boolean)
      .map((type) => type.trim().toUpperCase()),
    forwardTo: values.forward,
    secret,
    sign,
    print: (line) => process.stdout.write(`${line}\n`),
    signal: stop.signal,
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main().catch((error) => {
    const isUsage = error instanceof TypeError && error.code;
    process.stderr.write(`${error.message}\n${isUsage ? USAGE : ''}`);
    process.exit(1);
  });
}
