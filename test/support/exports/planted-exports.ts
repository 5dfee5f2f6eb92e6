import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import ssh2 from 'ssh2';
import type { ApiClient, Json } from '../api-client.js';
import { startSftpPeer } from '../file-stores/sftp-peer.js';
import { transactions } from './arrange-exports.js';

interface PlantedExports {
  /** The secrets of destinations, by what they are. */
  planted: Record<string, string>;
  /** Everything that the API has answered about them. */
  answers: string;
}

const random = (): string => randomBytes(32).toString('base64');

/**
 * Creates, tests, changes and uses a destination with each kind of secret. Every store refuses, with a message that
 * repeats the secrets: the one at `url` those given to `repeat`.
 */
export async function plantExportSecrets(
  session: ApiClient,
  projectId: string,
  url: string,
  repeat: (texts: string[]) => void,
): Promise<PlantedExports> {
  const peer = await startSftpPeer();
  peer.password = random();
  peer.fault = (operation) => (operation === 'WRITE' ? { status: 3, message: peer.password } : undefined);
  const passphrase = random();
  const key = ssh2.utils.generateKeyPairSync('ed25519', {
    passphrase,
    cipher: 'aes256-ctr',
    rounds: 16,
  }).private;
  const sig = randomBytes(32).toString('hex');
  const [s3Secret, accountKey, otherKey] = [random(), random(), random()];
  const connection = `DefaultEndpointsProtocol=http;AccountName=acme;AccountKey=${accountKey};BlobEndpoint=${url}/acme;`;
  const sas = `sv=2021-12-02&sp=rcwd&sig=${sig}`;
  const server = { host: '127.0.0.1', port: peer.port, username: peer.username, host_key: peer.hostKey };
  const s3 = { bucket: 'acme', endpoint: url, access_key_id: 'AKID', secret_access_key: s3Secret };
  const called: [destination: object, secrets: string[]][] = [
    [{ kind: 's3', s3 }, [s3Secret]],
    [{ kind: 'azure', azure: { container: 'exports', connection_string: connection } }, [accountKey]],
    [{ kind: 'azure', azure: { container_url: `${url}/acme/exports`, sas_token: sas } }, [sas, sig]],
    [{ kind: 'sftp', sftp: { ...server, folder: 'files', password: peer.password } }, []],
    [{ kind: 'sftp', sftp: { ...server, private_key: key, passphrase } }, []],
  ];
  const path = `/v2/projects/${projectId}/integrations/exports`;
  const answers: string[] = [];
  const post = async (route: string, body: object): Promise<Json> => {
    const answer = await session.post(`${path}${route}`, body);
    answers.push(answer.text);
    if (answer.status >= 300) throw new Error(`${route}: ${answer.text}`);
    return answer.body;
  };
  const get = async (route: string): Promise<Json> => {
    const answer = await session.get(route);
    answers.push(answer.text);
    return answer.body;
  };
  try {
    await post('/destinations', {
      name: 'Unused',
      kind: 'azure',
      azure: { account_name: 'acme', container: 'exports', account_key: otherKey },
    });
    for (const [destination, secrets] of called) {
      repeat(secrets);
      const made = await post('/destinations', { name: 'Place', ...destination });
      await post('/destinations/actions/test', destination);
      await post(`/destinations/${made.id}/actions/test`, {});
      await post(`/destinations/${made.id}`, destination);
      const created = await post('', {
        name: 'Export',
        destination_id: made.id,
        datasets: [transactions],
        format: 'csv',
        schedule: { frequency: 'manual' },
      });
      const run = await post(`/${created.id}/actions/run`, {});
      while ((await get(`${path}/${created.id}/runs/${run.id}`)).state !== 'failed') await pause(100);
    }
    for (const route of ['', '/destinations']) await get(`${path}${route}`);
    await get(`/v2/projects/${projectId}/audit_logs?limit=100`);
  } finally {
    await peer.close();
  }
  return {
    planted: {
      'the secret key of S3': s3Secret,
      'a connection string of Azure': connection,
      'the key in a connection string': accountKey,
      'an account key of Azure': otherKey,
      'a SAS token': sas,
      'the signature of a SAS token': sig,
      'the password of an SFTP user': peer.password,
      'the private key of an SFTP user': key,
      'the passphrase of a private key': passphrase,
    },
    answers: answers.join('\n'),
  };
}
