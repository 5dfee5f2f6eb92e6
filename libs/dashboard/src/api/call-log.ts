/** An API call of this tab. */
export interface LoggedCall {
  id: number;
  method: string;
  /** With placeholders, as in the documentation: `/v2/projects/{project_id}/customers`. */
  template: string;
  /** Path and query. */
  path: string;
  /** The JSON body, truncated and with masked secrets; null without one. */
  body: string | null;
  startedAtMs: number;
  /** Null while the response is pending. */
  durationMs: number | null;
  /** 0 if there was no response; null while it is pending. */
  status: number | 'cancelled' | null;
  requestId: string | null;
}

const KEPT = 50;
const MASK = '•••';
const LONGEST_BODY = 8 * 1024;
const secretName =
  /password|secret|token|credential|private|authorization|recovery|service_account|(^|_)p8|^key$|(^|_)api_key$|^code$|issuer_key|json_key|account_key|connection_string|passphrase/i;

/** Replaces the values of secret fields. */
export function masked(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return secretName.test(name) ? MASK : value;
  if (Array.isArray(value)) return value.map((item) => masked(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, masked(item, secretName.test(name) ? name : key)]),
  );
}

/** Formats a request body for the log. */
export function shownBody(body: string): string {
  try {
    const text = JSON.stringify(masked(JSON.parse(body)), null, 2);
    return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}…` : text;
  } catch {
    return MASK;
  }
}

/** Masks tokens in paths, which emailed links contain. */
export function shownPath(template: string, path: string): string {
  return template.includes('{token}') ? template : path;
}

/** The calls of this tab, newest first. In memory only. */
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
