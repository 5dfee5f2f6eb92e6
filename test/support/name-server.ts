import { createSocket, type Socket } from 'node:dgram';
import { createRequire } from 'node:module';

interface Message {
  id: number;
  questions: { name: string; type: string }[];
}

interface DnsPacket {
  RECURSION_DESIRED: number;
  RECURSION_AVAILABLE: number;
  decode(bytes: Buffer): Message;
  encode(message: Record<string, unknown>): Buffer;
}

// The package has no types.
const packet = createRequire(import.meta.url)('dns-packet') as DnsPacket;

/** A name server on this machine that knows TXT records. */
export class NameServer {
  /** Each record is a list of strings, as they are sent. */
  readonly records = new Map<string, string[][]>();
  /** Response code: 0, or 2 (failure), 3 (no such name) for every question. */
  code = 0;

  private constructor(private readonly socket: Socket) {}

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(socket);
    socket.on('message', (bytes, { port, address }) => {
      socket.send(server.answer(bytes), port, address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.socket.close(() => resolve()));
  }

  private answer(bytes: Buffer): Buffer {
    const { id, questions } = packet.decode(bytes);
    const [{ name, type } = { name: '', type: '' }] = questions;
    const found = type === 'TXT' && this.code === 0 ? (this.records.get(name.toLowerCase()) ?? []) : [];
    return packet.encode({
      id,
      type: 'response',
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | this.code,
      questions,
      answers: found.map((data) => ({ name, type: 'TXT', ttl: 1, data })),
    });
  }
}
