/** A call that this tab has made. */
export interface LoggedCall {
  id: number;
  method: string;
  /** With placeholders, as the documentation has it: `/v2/projects/{project_id}/customers`. */
  template: string;
  /** As sent, query included. */
  path: string;
  /** The JSON body, secrets masked and cut; null without one. */
  body: string | null;
  startedAtMs: number;
  /** Null while the answer is awaited. */
  durationMs: number | null;
  /** 0 if no answer came; null while it is awaited. */
  status: number | 'cancelled' | null;
  requestId: string | null;
}

const KEPT = 50;
const MASK = '•••';
const LONGEST_BODY = 8 * 1024;
const secretName =
  /password|secret|token|credential|private|authorization|recovery|service_account|(^|_)p8|^key$|(^|_)api_key$|^code$|issuer_key|json_key/i;

/** `value` with the texts of secret fields replaced. */
export function masked(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return secretName.test(name) ? MASK : value;
  if (Array.isArray(value)) return value.map((item) => masked(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, masked(item, secretName.test(name) ? name : key)]),
  );
}

/** A request body as the log shows it. */
export function shownBody(body: string): string {
  try {
    const text = JSON.stringify(masked(JSON.parse(body)), null, 2);
    return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}…` : text;
  } catch {
    return MASK;
  }
}

/** Links in mails carry their token in the path. */
export function shownPath(template: string, path: string): string {
  return template.includes('{token}') ? template : path;
}

/** The calls of this tab, newest first. Kept in memory only. */
class CallLog {
  private calls: readonly LoggedCall[] = [];
  private lastId = 0;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): readonly LoggedCall[] => this.calls;

  add(call: Pick<LoggedCall, 'method' | 'template' | 'path' | 'body'>): number {
    const id = ++this.lastId;
    const logged = { ...call, id, startedAtMs: Date.now(), durationMs: null, status: null, requestId: null };
    this.replace([logged, ...this.calls].slice(0, KEPT));
    return id;
  }

  finish(id: number, status: number | 'cancelled', requestId: string | null): void {
    this.replace(
      this.calls.map((call) =>
        call.id === id ? { ...call, status, requestId, durationMs: Date.now() - call.startedAtMs } : call,
      ),
    );
  }

  clear(): void {
    this.replace([]);
  }

  private replace(calls: readonly LoggedCall[]): void {
    this.calls = calls;
    for (const listener of this.listeners) listener();
  }
}

export const callLog = new CallLog();
