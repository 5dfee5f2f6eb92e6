import { blobEndpoint } from '../../../libs/file-stores/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import {
  type DestinationKind,
  type KindOfDestination,
  kindsOfDestinations,
  type PlainSettings,
  type Secrets,
  type Setting,
} from './destination-settings.js';

export interface DestinationSettings {
  plain: PlainSettings;
  secrets: Secrets;
}

/** Settings of a request by name; a setting that is absent does not change. */
export type GivenSettings = Readonly<Record<string, Setting>>;

const isSet = (value: Setting): boolean => value !== undefined && value !== null && value !== '';

function problem(kind: DestinationKind, name: string, message: string): ApiError {
  return ApiError.parameter(`${kind}.${name}`, `${kind}.${name} ${message}`);
}

/**
 * The settings after a request. A change of the address or the user drops every stored secret, because a secret must
 * not reach a server for which it was not entered.
 * @param stored null for a new destination
 * @throws ApiError 400 naming the setting
 */
export function settingsAfter(
  kind: DestinationKind,
  stored: DestinationSettings | null,
  given: GivenSettings,
  { needsHostKey = true }: { needsHostKey?: boolean } = {},
): DestinationSettings {
  const rules = kindsOfDestinations[kind];
  const before: PlainSettings = { ...rules.defaults, ...stored?.plain };
  const plain = { ...before };
  for (const name of rules.plain) if (given[name] !== undefined) plain[name] = given[name];
  const isMoved = stored !== null && rules.binding.some((name) => plain[name] !== before[name]);
  const entered = Object.fromEntries(
    rules.secrets.flatMap((name) => (isSet(given[name]) ? [[name, String(given[name])]] : [])),
  );
  const kept = Object.fromEntries(
    Object.entries(isMoved ? {} : (stored?.secrets ?? {})).filter(([name]) => given[name] === undefined),
  );
  for (const name of rules.required)
    if (!isSet(plain[name]) && (needsHostKey || name !== 'host_key'))
      throw problem(kind, name, 'is required.');
  const settings = withCredential(kind, { plain, secrets: kept }, entered, stored);
  if (kind === 'azure') assertContainer(settings.plain);
  if (kind === 's3') assertEncryption(settings.plain);
  return settings;
}

/** Chooses the way to authenticate and leaves out the settings of the others. */
function withCredential(
  kind: DestinationKind,
  { plain, secrets: kept }: DestinationSettings,
  entered: Secrets,
  stored: DestinationSettings | null,
): DestinationSettings {
  const rules = kindsOfDestinations[kind];
  if (rules.credentials.length === 0) return { plain, secrets: {} };
  const [first, second] = rules.credentials.filter(([name = '']) => entered[name] !== undefined);
  if (second) throw problem(kind, second[0] ?? '', `cannot be used together with ${kind}.${first?.[0]}.`);
  const chosen = first ?? rules.credentials.find(([name = '']) => kept[name] !== undefined);
  if (!chosen) throw problem(kind, missingSecret(rules, plain, stored), 'is required.');
  const secrets = { ...kept, ...entered };
  const others = rules.credentials.filter((names) => names !== chosen).flat();
  for (const name of others) {
    delete secrets[name];
    if (rules.plain.includes(name)) plain[name] = null;
  }
  for (const name of chosen)
    if (!rules.optional.includes(name) && !isSet(plain[name]) && secrets[name] === undefined)
      throw problem(kind, name, 'is required.');
  return { plain, secrets };
}

/** The secret to ask for: of the way whose other settings are there, or the one that was stored. */
function missingSecret(
  { credentials, plain: names }: KindOfDestination,
  plain: PlainSettings,
  stored: DestinationSettings | null,
): string {
  const isStarted = (way: readonly string[]): boolean =>
    way.some((name) => names.includes(name) && isSet(plain[name]));
  const wasStored = ([name = '']: readonly string[]): boolean => stored?.secrets[name] !== undefined;
  const way = credentials.find(isStarted) ?? credentials.find(wasStored) ?? credentials[0];
  return way?.[0] ?? '';
}

function assertContainer({ container, container_url: url }: PlainSettings): void {
  if (!isSet(container) && !isSet(url)) throw problem('azure', 'container', 'is required.');
}

function assertEncryption({ server_side_encryption: encryption, kms_key_id: key }: PlainSettings): void {
  if (isSet(key) && encryption !== 'aws:kms')
    throw problem('s3', 'kms_key_id', 'needs the encryption aws:kms.');
}

/** The address that a person entered, with the setting that holds it. Null if the kind has a fixed one. */
export function enteredAddress(
  kind: DestinationKind,
  { plain, secrets }: DestinationSettings,
): { setting: string; url: string } | null {
  if (kind === 's3' && isSet(plain.endpoint)) return { setting: 's3.endpoint', url: String(plain.endpoint) };
  if (kind === 'azure' && secrets.connection_string !== undefined) {
    const url = blobEndpoint(secrets.connection_string);
    if (url === null) throw problem('azure', 'connection_string', 'names no account.');
    return { setting: 'azure.connection_string', url };
  }
  if (kind === 'azure' && isSet(plain.container_url))
    return { setting: 'azure.container_url', url: String(plain.container_url) };
  if (kind === 'sftp') {
    const host = String(plain.host);
    const literal = host.includes(':') ? `[${host}]` : host;
    return { setting: 'sftp.host', url: `https://${literal}:${String(plain.port)}` };
  }
  return null;
}

/** Names the bucket or folder that files go to: equal for two destinations that could overwrite each other's files. */
export function placeOf(kind: DestinationKind, settings: DestinationSettings): string {
  const { plain, secrets } = settings;
  switch (kind) {
    case 's3':
      return `s3:${isSet(plain.endpoint) ? new URL(String(plain.endpoint)).host : 'aws'}/${String(plain.bucket)}`;
    case 'gcs':
      return `gcs:${String(plain.bucket)}`;
    case 'azure': {
      if (isSet(plain.container_url)) {
        const { host, pathname } = new URL(String(plain.container_url));
        return `azure:${host}${pathname.replace(/\/+$/, '')}`;
      }
      const address =
        secrets.connection_string === undefined ? null : blobEndpoint(secrets.connection_string);
      const account = address ?? `https://${String(plain.account_name)}.blob.core.windows.net`;
      const { host, pathname } = new URL(account);
      return `azure:${host}${pathname.replace(/\/+$/, '')}/${String(plain.container)}`;
    }
    case 'sftp':
      return `sftp:${String(plain.username)}@${String(plain.host)}:${String(plain.port)}/${String(plain.folder)}`;
    case 'local':
      return 'local:';
  }
}
