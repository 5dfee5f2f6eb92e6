import type { FakeAnswer } from '../fake-http.js';
import { basicUser, FakeTool, numberOrNull, parsed, type ToolRequest } from './fake-tool.js';

const DAY_MS = 86_400_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Answers 200 to a wrong key and drops the events. */
export class FakeSegment extends FakeTool {
  readonly traits = new Map<string, object>();

  protected answer(request: ToolRequest): FakeAnswer {
    const batch = parsed(request)?.batch;
    if (request.path !== '/v1/batch') return { status: 404 };
    if (!Array.isArray(batch) || request.body.length > 500_000)
      return { status: 400, body: { message: 'malformed' } };
    const isWrong = (item: any) =>
      Buffer.byteLength(JSON.stringify(item)) > 32_000 ||
      !item.userId ||
      !(String(item.messageId).length < 100);
    if (batch.some(isWrong)) return { status: 400, body: { success: false, message: 'malformed JSON' } };
    if (this.refusedKeys.has(basicUser(request)[0])) return { status: 200, body: { success: true } };
    for (const { type, messageId: id, userId: user, event: name, properties, traits } of batch) {
      if (type === 'identify') this.traits.set(user, traits);
      else this.count({ id, name, user, revenue: numberOrNull(properties.revenue) }, id);
    }
    return { status: 200, body: { success: true } };
  }
}

/** Refuses ids that are shorter than the requested length, by default 5. */
export class FakeAmplitude extends FakeTool {
  readonly userProperties = new Map<string, object>();

  protected answer(request: ToolRequest): FakeAnswer {
    const { api_key, events, options } = parsed(request) ?? {};
    if (request.path !== '/2/httpapi') return { status: 404 };
    if (request.body.length > 1_000_000)
      return { status: 413, body: { code: 413, error: 'Payload too large' } };
    if (!api_key || this.refusedKeys.has(api_key))
      return { status: 400, body: { code: 400, error: `Invalid API key: ${api_key}` } };
    if (!Array.isArray(events)) return { status: 400, body: { code: 400, error: 'missing_field' } };
    const shortest = options?.min_id_length ?? 5;
    const isShort = (id: string | undefined) => id !== undefined && id.length < shortest;
    const wrong = events.flatMap(({ user_id, device_id }, index) =>
      isShort(user_id) || isShort(device_id) || (!user_id && !device_id) ? [index] : [],
    );
    if (wrong.length > 0)
      return {
        status: 400,
        body: { code: 400, error: 'Invalid id length', events_with_invalid_fields: { user_id: wrong } },
      };
    for (const { insert_id: id, event_type: name, user_id, device_id, revenue, user_properties } of events) {
      const user = user_id ?? device_id;
      if (user_properties) this.userProperties.set(user, user_properties.$set);
      this.count({ id, name, user, revenue: numberOrNull(revenue) }, `${device_id} ${id}`);
    }
    return { status: 200, body: { code: 200, events_ingested: events.length } };
  }
}

const PLACEHOLDER_IDS = [
  'none',
  'null',
  'anonymous',
  'anon',
  'undefined',
  'nil',
  'true',
  'false',
  '0',
  '-1',
  '',
];

/** `/import` checks every event; `/track` drops events older than five days and answers 1. */
export class FakeMixpanel extends FakeTool {
  readonly profiles = new Map<string, object>();
  readonly charges: { user: string; amount: number }[] = [];

  protected answer(request: ToolRequest): FakeAnswer {
    const items = parsed(request);
    if (!Array.isArray(items)) return { status: 400, body: { error: 'malformed' } };
    if (request.path === '/engage') return this.engage(items);
    if (request.path === '/track') return this.track(items);
    if (request.path !== '/import') return { status: 404 };
    if (this.refusedKeys.has(basicUser(request)[0]) || basicUser(request)[0] === '')
      return { status: 401, body: { code: 401, error: 'Unauthorized', status: 'Unauthorized' } };
    const failed = items.flatMap(({ properties }, index) => {
      const field = this.wrongField(properties);
      return field === null ? [] : [{ index, field, message: `'properties.${field}' is invalid` }];
    });
    if (failed.length > 0)
      return {
        status: 400,
        body: { code: 400, error: 'some data points failed validation', failed_records: failed },
      };
    items.forEach((item) => this.store(item));
    return { status: 200, body: { code: 200, num_records_imported: items.length, status: 'OK' } };
  }

  private wrongField(properties: any): string | null {
    if (PLACEHOLDER_IDS.includes(String(properties.distinct_id ?? '').toLowerCase())) return 'distinct_id';
    if (!/^[A-Za-z0-9-]{1,36}$/.test(properties.$insert_id)) return '$insert_id';
    if (Object.keys(properties).length > 255) return 'properties';
    return typeof properties.time === 'number' ? null : 'time';
  }

  private store({ event: name, properties }: any): void {
    const { distinct_id: user, time, $insert_id: id, revenue } = properties;
    this.count({ id, name, user, revenue: numberOrNull(revenue) }, `${name} ${user} ${time} ${id}`);
  }

  private track(items: any[]): FakeAnswer {
    for (const item of items) if (item.properties.time > this.nowMs() - 5 * DAY_MS) this.store(item);
    return { status: 200, body: '1' };
  }

  private engage(items: any[]): FakeAnswer {
    if (items.some(({ $token }) => !$token || this.refusedKeys.has($token)))
      return { status: 200, body: { status: 0, error: 'invalid token' } };
    for (const { $distinct_id: user, $set, $append } of items) {
      if ($set) this.profiles.set(user, $set);
      if ($append) this.charges.push({ user, amount: $append.$transactions.$amount });
    }
    return { status: 200, body: { status: 1, error: null } };
  }
}

/** Reads a number as now, and takes a wrong UUID for none. */
export class FakePostHog extends FakeTool {
  readonly persons = new Map<string, object>();
  isQuotaUsed = false;

  protected answer(request: ToolRequest): FakeAnswer {
    const { api_key, batch } = parsed(request) ?? {};
    if (request.path !== '/batch/') return { status: 404 };
    if (!api_key || this.refusedKeys.has(api_key))
      return { status: 401, body: { type: 'authentication_error' } };
    if (!Array.isArray(batch)) return { status: 400 };
    if (this.isQuotaUsed) return { status: 200, body: { status: 1, quota_limited: ['events'] } };
    for (const { event: name, distinct_id: user, timestamp, uuid, properties } of batch) {
      if (typeof user !== 'string' || user === '' || user.length > 200) return { status: 400 };
      const time = typeof timestamp === 'string' ? Date.parse(timestamp) : this.nowMs();
      const id = UUID.test(uuid) ? uuid : null;
      if (properties.$set) this.persons.set(user, properties.$set);
      const key = id === null ? null : `${id} ${name} ${time} ${user}`;
      this.count({ id, name, user, revenue: numberOrNull(properties.revenue) }, key);
    }
    return { status: 200, body: { status: 1 } };
  }
}
