import { FileStoreError } from '../file-store-error.js';
import { encoded } from '../objects/object-path.js';
import type { AzureSettings } from '../settings.js';

/** A container and how its requests are authorized: by an account key or by the parameters of a SAS token. */
export interface AzureContainer {
  /** Without a slash at the end. */
  url: string;
  credential: { account: string; key: Buffer } | { sas: string };
}

function problem(message: string): FileStoreError {
  return new FileStoreError('access_denied', message);
}

/** Settings of a connection string, by name in lower case. Keys contain `=` themselves. */
function partsOf(connectionString: string): Map<string, string> {
  return new Map(
    connectionString.split(';').flatMap((part): [string, string][] => {
      const at = part.indexOf('=');
      return at < 0 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]];
    }),
  );
}

/** The URL of blobs in a connection string; null if it names no account. */
export function blobEndpoint(connectionString: string): string | null {
  const parts = partsOf(connectionString);
  const endpoint = parts.get('blobendpoint');
  if (endpoint) return endpoint.replace(/\/+$/, '');
  const account = parts.get('accountname');
  if (!account) return null;
  const protocol = parts.get('defaultendpointsprotocol') ?? 'https';
  return `${protocol}://${account}.blob.${parts.get('endpointsuffix') ?? 'core.windows.net'}`;
}

function keyOf(text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length === 0) throw problem('The account key is not a base64 text.');
  return key;
}

const sasOf = (token: string): { sas: string } => ({ sas: token.replace(/^\?/, '') });

/** @throws FileStoreError if the settings do not say where the container is or how to authorize requests */
export function azureContainer(settings: AzureSettings): AzureContainer {
  const {
    container,
    connection_string: connection,
    account_name: account,
    account_key: key,
    container_url: url,
    sas_token: sas,
  } = settings;
  if (url && sas) return checked({ url: url.replace(/\/+$/, ''), credential: sasOf(sas) });
  if (!container) throw problem('The name of the container is missing.');
  if (connection) {
    const endpoint = blobEndpoint(connection);
    const parts = partsOf(connection);
    const [name, secret, token] = ['accountname', 'accountkey', 'sharedaccesssignature'].map((part) =>
      parts.get(part),
    );
    if (endpoint === null) throw problem('The connection string names no account.');
    const place = `${endpoint}/${encoded(container)}`;
    if (token) return checked({ url: place, credential: sasOf(token) });
    if (!name || !secret) throw problem('The connection string has no account key and no SAS token.');
    return checked({ url: place, credential: { account: name, key: keyOf(secret) } });
  }
  if (!account || !key) throw problem('The account name or the account key is missing.');
  const place = `https://${account}.blob.core.windows.net/${encoded(container)}`;
  return checked({ url: place, credential: { account, key: keyOf(key) } });
}

function checked(container: AzureContainer): AzureContainer {
  const parsed = URL.canParse(container.url) ? new URL(container.url) : null;
  if (!parsed || parsed.search !== '' || parsed.username !== '') {
    throw problem('The address of the container is not a URL without parameters.');
  }
  return container;
}
