import type { FakeAnswer } from '../fake-http.js';
import { FakeTool, numberOrNull, parsed, type ToolRequest } from './fake-tool.js';

const HOUR_MS = 3_600_000;

/** Answers 204 to anything and records only what is right; the debug endpoint explains, but checks no key. */
export class FakeFirebase extends FakeTool {
  protected answer(request: ToolRequest): FakeAnswer {
    const problem = this.problemOf(request);
    if (request.path === '/debug/mp/collect') {
      const validationMessages =
        problem === null ? [] : [{ description: problem, validationCode: 'VALUE_INVALID' }];
      return { status: 200, body: { validationMessages } };
    }
    if (request.path !== '/mp/collect') return { status: 404 };
    if (problem !== null || this.refusedKeys.has(request.query.get('api_secret') ?? ''))
      return { status: 204 };
    const { app_instance_id: user, timestamp_micros, events } = parsed(request);
    if (timestamp_micros / 1000 < this.nowMs() - 72 * HOUR_MS) return { status: 204 };
    for (const { name, params } of events) {
      this.count({ id: params.event_id, name, user, revenue: numberOrNull(params.value) }, null);
    }
    return { status: 204 };
  }

  private problemOf(request: ToolRequest): string | null {
    const { app_instance_id, events, user_id } = parsed(request) ?? {};
    if (!request.query.get('firebase_app_id')) return 'firebase_app_id is required';
    if (!/^[0-9a-f]{32}$/i.test(app_instance_id)) return 'app_instance_id is invalid';
    if (user_id !== undefined && user_id.length > 256) return 'user_id is too long';
    const [{ name, params }] = events ?? [{}];
    if (!/^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(name)) return `Event name is invalid: ${name}`;
    if (Object.keys(params).length > 25) return 'Too many parameters';
    const wrong = Object.entries<any>(params).find(([key, value]) => {
      if (key === 'items') return !Array.isArray(value);
      return key.length > 40 || value === null || typeof value === 'object' || String(value).length > 100;
    });
    return wrong === undefined ? null : `Parameter is invalid: ${wrong[0]}`;
  }
}

/** Answers 200 for an Apple app without the prefix and records nothing. */
export class FakeAppsFlyer extends FakeTool {
  protected answer(request: ToolRequest): FakeAnswer {
    const appId = /^\/inappevent\/([^/]+)$/.exec(request.path)?.[1];
    if (appId === undefined) return { status: 404 };
    const key = request.headers.authentication ?? '';
    if (key === '' || this.refusedKeys.has(key)) return { status: 401, body: 'Unauthorized' };
    if (Buffer.byteLength(request.body) > 1024) return { status: 400, body: 'Payload is larger than 1KB' };
    const { appsflyer_id: user, eventName: name, eventValue, eventTime } = parsed(request) ?? {};
    if (!user || !name) return { status: 400, body: 'Failed to validate appsflyer_id' };
    if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(eventTime)) return { status: 400, body: 'eventTime' };
    if (typeof eventValue !== 'string') return { status: 400, body: 'eventValue' };
    const isRecorded = /^id\d+$/.test(appId) || /[a-z]/i.test(appId);
    const revenue = numberOrNull(JSON.parse(eventValue).af_revenue);
    if (isRecorded) this.count({ id: null, name, user, revenue }, null);
    return { status: 200, body: 'ok' };
  }
}

/** Counts repeated events, unless the token is of an event that is set up as unique. */
export class FakeAdjust extends FakeTool {
  readonly uniqueTokens = new Set<string>();
  /** Ids of devices that Adjust does not know, or whose owners opted out. */
  readonly unknownDevices = new Set<string>();
  readonly optedOut = new Set<string>();

  protected answer({ path, body, headers }: ToolRequest): FakeAnswer {
    if (path !== '/event') return { status: 404 };
    const form = new URLSearchParams(body);
    const field = (name: string) => form.get(name) ?? '';
    const key = headers.authorization?.replace('Bearer ', '') ?? '';
    if (this.refusedKeys.has(key)) return { status: 401, body: { error: 'Unauthorized' } };
    if (field('s2s') !== '1' || !field('event_token') || !/^\d{10}$/.test(field('created_at_unix')))
      return { status: 400, body: { error: 'Bad event state' } };
    if (!/^[a-z0-9]{4,12}$/.test(field('app_token')) || this.refusedKeys.has(field('app_token')))
      return { status: 404, body: { error: 'App token not found' } };
    const user = field('adid');
    if (this.optedOut.has(user)) return { status: 451, body: { error: 'Device is opted out' } };
    if (user === '' || this.unknownDevices.has(user))
      return { status: 404, body: { error: 'Device not found' } };
    const revenue = field('revenue') === '' ? null : Number(field('revenue'));
    if (revenue !== null && (revenue < 0.001 || field('currency') === ''))
      return { status: 400, body: { error: 'Invalid revenue' } };
    if (/:/.test(field('ip_address'))) return { status: 400, body: { error: 'Invalid ip_address' } };
    const name = field('event_token');
    const before = this.repeated;
    this.count({ id: null, name, user, revenue }, this.uniqueTokens.has(name) ? `${name} ${user}` : null);
    return this.repeated > before
      ? {
          status: 400,
          body: { error: 'Event request failed (Ignoring event, earlier unique event tracked)' },
        }
      : { status: 200, body: { app_token: field('app_token'), status: 'OK' } };
  }
}

/** One event that is too old fails the whole request. */
export class FakeMeta extends FakeTool {
  protected answer(request: ToolRequest): FakeAnswer {
    const error = (code: number, message: string): FakeAnswer => ({
      status: 400,
      body: { error: { message, type: 'OAuthException', code, is_transient: false } },
    });
    const { access_token, data } = parsed(request) ?? {};
    if (!/^\/v24\.0\/\d+\/events$/.test(request.path)) return { status: 404 };
    if (!access_token || this.refusedKeys.has(access_token)) return error(190, 'Invalid OAuth access token');
    if (!Array.isArray(data)) return error(100, 'data is required');
    for (const { event_time, user_data, app_data, custom_data, event_name, action_source } of data) {
      if (event_time * 1000 < this.nowMs() - 7 * 24 * HOUR_MS) return error(100, 'event_time is too old');
      if (action_source !== 'app' || app_data?.extinfo?.length !== 16)
        return error(100, 'extinfo is invalid');
      const hashes = ['em', 'ph', 'external_id'].flatMap((name) => user_data[name] ?? []);
      if (!hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash))) return error(100, 'user_data is not hashed');
      if (event_name === 'Purchase' && (custom_data?.value === undefined || !custom_data.currency))
        return error(100, 'a Purchase needs a value');
    }
    for (const { event_name: name, event_id: id, user_data, custom_data } of data) {
      const user = user_data.external_id[0];
      this.count({ id, name, user, revenue: numberOrNull(custom_data.value) }, `${id} ${name}`);
    }
    return { status: 200, body: { events_received: data.length, fbtrace_id: 'A' } };
  }
}
