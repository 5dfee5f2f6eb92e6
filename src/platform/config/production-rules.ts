import { settings, type SettingValues } from './config.schema.js';
import { weaknessOf } from './weak-key.js';
import { isGuessable } from './weak-password.js';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const NEW_KEY = 'make one with: openssl rand -base64 32';
const NEW_TOKEN = 'make one with: openssl rand -hex 32';

function keyProblems(values: SettingValues): string[] {
  const problems = (['encryptionKey', 'signingKey'] as const).flatMap((name) => {
    const key = values[name];
    const weakness = key === null ? null : weaknessOf(key);
    return weakness === null ? [] : [`${settings[name].variable} ${weakness}; ${NEW_KEY}`];
  });
  const { encryptionKey, signingKey } = values;
  if (encryptionKey !== null && signingKey?.equals(encryptionKey) === true) {
    problems.push(
      `${settings.signingKey.variable} is the same as ${settings.encryptionKey.variable}; ${NEW_KEY}`,
    );
  }
  return problems;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An empty password is acceptable: the client authenticates with a certificate or over a socket. */
function hasGuessablePassword(url: string): boolean {
  const { username, password, pathname, searchParams } = new URL(url);
  // The driver prefers a password in the query to the one before the host.
  const passwords = [decoded(password), ...searchParams.getAll('password')];
  const names = [username, pathname.slice(1)].map(decoded).concat(searchParams.getAll('user'));
  return passwords.some((text) => text !== '' && isGuessable(text, names));
}

function databaseProblems({ databaseUrl, directDatabaseUrl, replicaUrls }: SettingValues): string[] {
  const urls = { databaseUrl: [databaseUrl], directDatabaseUrl: [directDatabaseUrl], replicaUrls };
  const { variable } = settings.databaseUrl;
  const missing = `${variable} is required in production: the embedded PostgreSQL is for trials`;
  const guessable = (['databaseUrl', 'directDatabaseUrl', 'replicaUrls'] as const)
    .filter((name) => urls[name].some((url) => url !== null && hasGuessablePassword(url)))
    .map(
      (name) =>
        `${settings[name].variable} has a password that is short, all digits, or made of known words or names`,
    );
  return databaseUrl === null ? [missing, ...guessable] : guessable;
}

function addressProblems({ publicUrl }: SettingValues): string[] {
  const { variable } = settings.publicUrl;
  if (publicUrl === null)
    return [`${variable} is required: the https address under which clients reach the server`];
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return [];
  return [`${variable} must be https: sessions and keys would go over the network in the clear`];
}

function tokenProblems(values: SettingValues): string[] {
  return (['setupToken', 'metricsToken'] as const)
    .filter((name) => values[name] !== null && isGuessable(values[name]))
    .map((name) => `${settings[name].variable} consists of digits or known words; ${NEW_TOKEN}`);
}

function metricsProblems({ metricsPort, metricsToken, metricsPublic }: SettingValues): string[] {
  if (metricsPort !== null || metricsToken !== null || metricsPublic) return [];
  const { metricsPort: port, metricsToken: token, metricsPublic: open } = settings;
  return [
    `${port.variable}, ${token.variable} or ${open.variable}=true is required: otherwise anyone who reaches ` +
      `${settings.port.variable} can read /metrics`,
  ];
}

export function productionProblems(values: SettingValues): string[] {
  const trials: (keyof SettingValues)[] = [
    'demo',
    'allowPrivateNetworks',
    'oauthDocumentsAllowLocal',
    'testStores',
  ];
  return [
    ...keyProblems(values),
    ...databaseProblems(values),
    ...addressProblems(values),
    ...metricsProblems(values),
    ...tokenProblems(values),
    ...trials
      .filter((name) => values[name] === true)
      .map((name) => `${settings[name].variable} must be false in production`),
  ];
}
