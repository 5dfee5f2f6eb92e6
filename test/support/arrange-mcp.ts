import { request as httpRequest } from 'node:http';
import type { Json } from './api-client.js';
import type { TestServer } from './test-server.js';

export interface McpAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The JSON-RPC message, from a JSON body or the one event of a stream. */
  message: Json;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function messageIn(text: string): Json {
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Sends bytes as they are: `fetch` sets `Host` itself. */
export function sendMcp(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  body: string,
  headers: Record<string, string> = {},
  method = 'POST',
  path = '/mcp',
): Promise<McpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      `${baseUrl}${path}`,
      { method, headers: { ...HEADERS, ...headers } },
      (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          const all = incoming.headers as Record<string, string | undefined>;
          resolve({ status: incoming.statusCode ?? 0, headers: all, text, message: messageIn(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export interface ToolAnswer {
  status: number;
  isError: boolean;
  /** The JSON in the text of the result. */
  value: Json;
  answer: McpAnswer;
}

/** Calls tools with a token, in the protocol before 2026-07-28. */
export class McpCaller {
  constructor(
    private readonly server: Pick<TestServer, 'baseUrl'>,
    readonly token: string,
  ) {}

  send(message: object, headers: Record<string, string> = {}): Promise<McpAnswer> {
    const all = { authorization: `Bearer ${this.token}`, ...headers };
    return sendMcp(this.server, JSON.stringify(message), all);
  }

  rpc(method: string, params?: object): Promise<McpAnswer> {
    return this.send({ jsonrpc: '2.0', id: 1, method, params });
  }

  async tools(): Promise<Json[]> {
    return (await this.rpc('tools/list')).message.result.tools as Json[];
  }

  async call(name: string, args: object = {}): Promise<ToolAnswer> {
    const answer = await this.rpc('tools/call', { name, arguments: args });
    const result = answer.message?.result;
    const text = result?.content?.[0]?.text;
    const value = text === undefined ? undefined : JSON.parse(text as string);
    return { status: answer.status, isError: result?.isError === true, value, answer };
  }
}
