import type { FakeAnswer } from '../fake-http.js';
import { FakeTool, parsed, type ToolRequest } from './fake-tool.js';

/** Allows a number of messages within a time. */
class RateLimit {
  private readonly times: number[] = [];

  constructor(
    private readonly messages: number,
    private readonly withinMs: number,
  ) {}

  /** Milliseconds until the next message may be posted; 0 if it was counted. */
  take(nowMs: number): number {
    const since = nowMs - this.withinMs;
    while ((this.times[0] ?? nowMs) <= since) this.times.shift();
    if (this.times.length >= this.messages) return (this.times[0] ?? nowMs) + this.withinMs - nowMs;
    this.times.push(nowMs);
    return 0;
  }
}

/** One message a second, with a text or an attachment. */
export class FakeSlack extends FakeTool {
  /** `no_service`, `channel_is_archived`, ... */
  failure: string | null = null;
  private readonly limit = new RateLimit(1, 1000);

  protected answer(request: ToolRequest): FakeAnswer {
    if (!/^\/services\/\w+\/\w+\/\w+$/.test(request.path)) return { status: 404, body: 'no_team' };
    if (this.failure !== null)
      return { status: this.failure === 'channel_is_archived' ? 410 : 404, body: this.failure };
    const waitMs = this.limit.take(this.nowMs());
    if (waitMs > 0)
      return {
        status: 429,
        body: 'rate_limited',
        headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
      };
    const { text, attachments } = parsed(request) ?? {};
    const message = text ?? attachments?.[0]?.fallback;
    if (!message || request.body.length > 40_000) return { status: 400, body: 'invalid_payload' };
    this.count({ id: null, name: message, user: '', revenue: null }, null);
    return { status: 200, body: 'ok' };
  }
}

/** Five messages in two seconds. */
export class FakeDiscord extends FakeTool {
  private readonly limit = new RateLimit(5, 2000);

  protected answer(request: ToolRequest): FakeAnswer {
    const token = /^\/api\/webhooks\/\d+\/([\w-]+)$/.exec(request.path)?.[1];
    if (token === undefined || this.refusedKeys.has(token))
      return { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } };
    const waitMs = this.limit.take(this.nowMs());
    if (waitMs > 0)
      return { status: 429, body: { message: 'You are being rate limited.', retry_after: waitMs / 1000 } };
    const { content, embeds = [] } = parsed(request) ?? {};
    const message = content ?? embeds[0]?.description;
    const isTooLong =
      JSON.stringify(embeds).length > 6000 ||
      message?.length > 4096 ||
      embeds.some(({ fields = [] }: any) => fields.some(({ value }: any) => value.length > 1024));
    if (!message || isTooLong) return { status: 400, body: { message: 'Invalid Form Body', code: 50_035 } };
    this.count({ id: null, name: message, user: '', revenue: null }, null);
    return { status: 200, body: { id: '1' } };
  }
}

/** Any address; recognizes repeated events by the idempotency key. */
export class FakeAddress extends FakeTool {
  protected answer(request: ToolRequest): FakeAnswer {
    const id = request.headers['idempotency-key'] ?? null;
    const { event } = parsed(request) ?? {};
    this.count(
      { id, name: event?.type ?? '', user: event?.app_user_id ?? '', revenue: event?.price ?? null },
      id,
    );
    return { status: 200 };
  }
}
