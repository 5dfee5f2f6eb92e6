import { Agent, type IncomingHttpHeaders, request } from 'node:http';

const AT_ONCE = 24;

export interface Fuzzed {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Not sent with GET, HEAD and OPTIONS. */
  body: string | undefined;
}

export interface FuzzedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Values for an id in a path. */
export const PATH_SEGMENTS = [
  'someone',
  '%24RCAnonymousID%3A0123456789abcdef0123456789abcdef',
  '$RCAnonymousID:0123456789abcdef0123456789abcdef',
  '%F0%9F%98%80',
  '%ED%A0%80',
  '%00',
  'a%00b',
  '%',
  '%E0%A4%A',
  '%2F..%2F..',
  '..',
  '.',
  '%20',
  'null',
  '__proto__',
  'constructor',
  "a'--",
  '%22%3Cscript%3E',
  'x'.repeat(300),
  '1e999',
];

/** Values for any field of a body. */
export const NASTY_VALUES: unknown[] = [
  null,
  true,
  -1,
  0.1,
  1e308,
  '',
  ' ',
  '\0',
  '\uD800',
  'null',
  '😀'.repeat(60),
  'x'.repeat(5_000),
  [],
  {},
  [[[]]],
  ['a', 'a', 5, null],
  { toString: 'x' },
  { __proto__: null, constructor: 1 },
];

function send(
  agent: Agent,
  baseUrl: string,
  { method, path, headers: sent, body }: Fuzzed,
): Promise<FuzzedAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const bytes = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? '' : (body ?? '');
  const length = bytes === '' ? {} : { 'content-length': Buffer.byteLength(bytes) };
  return new Promise((resolve, reject) => {
    const call = request(
      { hostname, port, method, path, headers: { ...sent, ...length }, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    call.on('error', reject);
    call.end(bytes);
  });
}

/** Sends requests, some at a time. `problemOf` tells what is wrong with an answer, or null. */
export async function sendAll(
  baseUrl: string,
  fuzzed: readonly Fuzzed[],
  problemOf: (sent: Fuzzed, answer: FuzzedAnswer) => string | null,
): Promise<{ problems: unknown[]; statuses: Map<number, number> }> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const problems: unknown[] = [];
  const statuses = new Map<number, number>();
  const waiting = [...fuzzed];
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const answer = await send(agent, baseUrl, next);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const problem = problemOf(next, answer);
      if (problem !== null) problems.push({ problem, ...next, body: next.body?.slice(0, 300), answer });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  agent.destroy();
  return { problems, statuses };
}
