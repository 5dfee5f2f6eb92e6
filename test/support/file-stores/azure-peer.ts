import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedKeyAuthorization } from '../../../libs/file-stores/azure/shared-key.js';
import { startProgram, stopProgram } from './programs.js';

export interface AzurePeer {
  account: string;
  key: string;
  /** The URL of all blobs of the account. */
  endpoint: string;
  container: string;
  connectionString: string;
  /** A token for the container with some of the permissions `racwdl`. */
  sasToken(permissions: string): string;
  /** All blobs of the container that are visible, by key. */
  files(): Promise<Map<string, Buffer>>;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(
  new URL('../../../node_modules/azurite/dist/src/blob/main.js', import.meta.url),
);
const LISTENING = /listens on (http:\/\/127\.0\.0\.1:\d+)/;
const VERSION = '2021-12-02';

/** azurite with one account and one container. */
export async function startAzurePeer(container = 'exports'): Promise<AzurePeer> {
  const directory = await mkdtemp(join(tmpdir(), 'azure-peer-'));
  const account = 'acme';
  const key = randomBytes(64).toString('base64');
  const { child, match } = await startProgram(
    process.execPath,
    [PROGRAM, '--blobHost', '127.0.0.1', '--blobPort', '0', '--location', directory, '--disableTelemetry'],
    LISTENING,
    { ...process.env, AZURITE_ACCOUNTS: `${account}:${key}` },
  );
  const endpoint = `${match[1]}/${account}`;

  const url = new URL(`${endpoint}/${container}?restype=container`);
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': VERSION };
  const unsigned = { method: 'PUT', url, headers, contentLength: 0 };
  const authorization = sharedKeyAuthorization(unsigned, account, Buffer.from(key, 'base64'));
  const created = await fetch(url, { method: 'PUT', headers: { ...headers, authorization } });
  if (created.status !== 201) throw new Error(`the container was not created: ${await created.text()}`);

  const sasToken = (permissions: string): string => {
    const expiry = '2099-01-01T00:00:00Z';
    const resource = `/blob/${account}/${container}`;
    const unused = (count: number): string[] => Array.from({ length: count }, () => '');
    const fields = [permissions, '', expiry, resource, ...unused(3), VERSION, 'c', ...unused(7)];
    const sig = createHmac('sha256', Buffer.from(key, 'base64')).update(fields.join('\n')).digest('base64');
    return new URLSearchParams({ sv: VERSION, sr: 'c', sp: permissions, se: expiry, sig }).toString();
  };

  return {
    account,
    key,
    endpoint,
    container,
    connectionString: `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=${endpoint};`,
    sasToken,
    files: async () => {
      const place = `${endpoint}/${container}`;
      const list = await fetch(`${place}?restype=container&comp=list&${sasToken('l')}`);
      const keys = [...(await list.text()).matchAll(/<Name>([^<]+)</g)].map(([, name = '']) => name);
      const read = keys.map(async (name): Promise<[string, Buffer]> => {
        const answer = await fetch(`${place}/${name}?${sasToken('r')}`);
        return [name, Buffer.from(await answer.arrayBuffer())];
      });
      return new Map(await Promise.all(read));
    },
    close: async () => {
      await stopProgram(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
