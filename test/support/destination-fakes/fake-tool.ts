import type { FakeAnswer } from '../fake-http.js';

export interface ToolRequest {
  method: string;
  /** The path at the tool's own host. */
  path: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: string;
}

/** An event as the tool's users would see it. */
export interface ReceivedEvent {
  /** The id by which the tool recognizes a repeated event; null if it has none. */
  id: string | null;
  name: string;
  user: string;
  revenue: number | null;
}

/** A tool with its documented limits, whose answers a test may script. */
export abstract class FakeTool {
  readonly requests: ToolRequest[] = [];
  readonly events: ReceivedEvent[] = [];
  /** Repeated events that the tool recognized. */
  repeated = 0;
  /** Keys that the tool refuses, as the request contains them. */
  readonly refusedKeys = new Set<string>();
  /** Answers in place of the tool; undefined: the tool answers. */
  interfere: (request: ToolRequest) => FakeAnswer | undefined = () => undefined;

  constructor(protected readonly nowMs: () => number = Date.now) {}

  receive(request: ToolRequest): FakeAnswer {
    this.requests.push(request);
    return this.interfere(request) ?? this.answer(request);
  }

  /** How often each event was counted, by name, user and id. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { id, name, user } of this.events) {
      const key = `${name} ${user} ${id}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  revenue(): number {
    return this.events.reduce((sum, { revenue }) => sum + Math.round((revenue ?? 0) * 1e6), 0) / 1e6;
  }

  protected abstract answer(request: ToolRequest): FakeAnswer;

  /** `key`: equal for two events that the tool takes for one; null if it counts every event. */
  protected count(event: ReceivedEvent, key: string | null): void {
    if (key !== null && this.known.has(key)) {
      this.repeated += 1;
      return;
    }
    if (key !== null) this.known.add(key);
    this.events.push(event);
  }

  private readonly known = new Set<string>();
}

export const parsed = ({ body }: ToolRequest): any => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** User and password of Basic authentication. */
export function basicUser({ headers }: ToolRequest): [user: string, password: string] {
  const encoded = /^Basic (.*)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  return [user, password];
}

export const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
