import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** The start of BackendKeyData: its type and length, before the number of the backend. */
const KEY_DATA = Buffer.from([0x4b, 0, 0, 0, 12]);
const PRETENDED_PID = 7;

/** As with real poolers, the backend number that clients receive does not exist in PostgreSQL. */
function withOwnNumber(data: Buffer): Buffer {
  const at = data.indexOf(KEY_DATA);
  if (at >= 0) data.writeInt32BE(PRETENDED_PID, at + KEY_DATA.length);
  return data;
}

/** What a client can tell a pooler by, in front of a database. */
export async function startPretendedPooler(databaseUrl: string): Promise<{ url: string; close: () => void }> {
  const url = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(url.port), url.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    }
    pipeline(client, upstream, () => undefined);
    upstream.on('data', (data: Buffer) => client.write(withOwnNumber(data))).on('end', () => client.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const pooled = new URL(databaseUrl);
  pooled.hostname = '127.0.0.1';
  pooled.port = String((server.address() as AddressInfo).port);
  return {
    url: pooled.toString(),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
