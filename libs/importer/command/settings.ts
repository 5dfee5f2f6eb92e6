import { isIP } from 'node:net';
import { WrongUsage } from './outcome.js';

/** Parsed command-line options: commander's flag names, without dashes and in camel case. */
export type Flags = Record<string, unknown>;
export type Environment = Record<string, string | undefined>;

/** Prompts for a key with hidden input; null without a terminal. */
export type AskSecret = ((question: string) => Promise<string>) | null;

export const DEFAULT_SOURCE_URL = 'https://api.revenuecat.com/v2';
export const importEnvironments = ['production', 'sandbox', 'both'] as const;
export type ImportEnvironment = (typeof importEnvironments)[number];

export interface SourceSettings {
  key: string;
  /** Null means the only project that the key can access. */
  project: string | null;
  /** Base URL up to and including `/v2`. */
  url: string;
  v1Key: string | null;
}

export interface TargetSettings {
  /** Base URL without a trailing slash. */
  url: string;
  key: string;
  /** Null means the key's own project. */
  project: string | null;
}

const SECRET_KEY = /^(sk_|atk_)\S+$/;

/** The flag's value, else the environment variable's; null if neither is set. */
export function textOf(flags: Flags, flag: string, env: Environment, variable?: string): string | null {
  const value = flags[flag] ?? (variable === undefined ? undefined : env[variable]);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** @throws WrongUsage if the flag is not a whole number within the bounds */
export function integerOf(flags: Flags, flag: string, name: string, min: number, max: number): number | null {
  const value = flags[flag];
  if (value === undefined) return null;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN;
  if (!(number >= min && number <= max)) {
    const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new WrongUsage(`${name} takes a whole number ${bounds}.`);
  }
  return number;
}

/** @throws WrongUsage if the flag's value is not one of the choices */
export function choiceOf<T extends string>(
  flags: Flags,
  flag: string,
  name: string,
  choices: readonly T[],
): T | null {
  const value = flags[flag];
  if (value === undefined) return null;
  if (!choices.includes(value as T)) throw new WrongUsage(`${name} takes ${choices.join(', ')}.`);
  return value as T;
}

/** @throws WrongUsage if a setting is missing or invalid; the message never contains a key */
export async function sourceSettings(
  flags: Flags,
  env: Environment,
  ask: AskSecret,
): Promise<SourceSettings> {
  const url = sourceUrl(textOf(flags, 'sourceUrl', env) ?? DEFAULT_SOURCE_URL);
  const v1Key = textOf(flags, 'sourceV1Key', env, 'TENURE_SOURCE_V1_KEY');
  if (v1Key !== null && !v1Key.startsWith('sk_')) {
    throw new WrongUsage('--source-v1-key takes a secret key (sk_…).');
  }
  const project = textOf(flags, 'sourceProject', env, 'TENURE_SOURCE_PROJECT');
  const given = textOf(flags, 'sourceKey', env, 'TENURE_SOURCE_KEY');
  const key =
    given ?? (await asked(ask, 'Secret key of the source (v2): ', '--source-key', 'TENURE_SOURCE_KEY'));
  if (!SECRET_KEY.test(key)) {
    throw new WrongUsage(
      '--source-key takes a secret key (sk_…) or an OAuth token (atk_…) of v2; this looks like a public key.',
    );
  }
  return { key, project, url, v1Key };
}

/** @throws WrongUsage if a setting is missing or invalid; the message never contains a key */
export async function targetSettings(
  flags: Flags,
  env: Environment,
  ask: AskSecret,
): Promise<TargetSettings> {
  const given = textOf(flags, 'to', env, 'TENURE_URL');
  if (given === null) throw new WrongUsage('--to (or TENURE_URL) is missing: the URL of the target server.');
  const url = targetUrl(given);
  const project = textOf(flags, 'toProject', env, 'TENURE_TO_PROJECT');
  const key =
    textOf(flags, 'toKey', env, 'TENURE_KEY') ??
    (await asked(ask, 'Secret key of the target: ', '--to-key', 'TENURE_KEY'));
  if (!SECRET_KEY.test(key)) throw new WrongUsage('--to-key takes a secret key (sk_…) of the target.');
  return { url, key, project };
}

async function asked(ask: AskSecret, question: string, flag: string, variable: string): Promise<string> {
  const answer = ask === null ? '' : (await ask(question)).trim();
  if (answer === '') throw new WrongUsage(`${flag} (or ${variable}) is missing.`);
  return answer;
}

function parsedUrl(text: string, flag: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new WrongUsage(`${flag} takes a URL.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new WrongUsage(`${flag} takes an https URL.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new WrongUsage(`${flag} takes a URL without a user name.`);
  }
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
    throw new WrongUsage(`${flag} takes http only for loopback and private addresses; use https.`);
  }
  return url;
}

function sourceUrl(text: string): string {
  const url = parsedUrl(text, '--source-url');
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v2' : path}`;
}

function targetUrl(text: string): string {
  const url = parsedUrl(text, '--to');
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '')}`;
}

const PRIVATE_V4 = /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|0\.0\.0\.0$)/;
const PRIVATE_V6 = /^(::1$|f[cd]|fe[89ab])/i;

/** Checks only the text: a name that resolves to a private address still needs https. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 4) return PRIVATE_V4.test(host);
  if (isIP(host) === 6) return PRIVATE_V6.test(host);
  return host === 'localhost' || host.endsWith('.localhost') || !host.includes('.');
}
