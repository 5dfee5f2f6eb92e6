import { Ajv2020 } from 'ajv/dist/2020.js';
import type { DestinationType, Settings } from '../definition.js';
import { definitionOf, definitions } from '../destinations.js';
import { allTypes, destinationOf, enteredSettings } from '../testing/fixture.js';
import {
  changedSettings,
  checkSettings,
  namesOfSetSecrets,
  normalizedSettings,
  secretNames,
  secretToEnterAgain,
} from './settings-check.js';

const problemOf = (type: DestinationType, change: Settings) =>
  checkSettings(definitionOf(type), { ...enteredSettings[type], ...change })?.param ?? null;

describe('the check of settings', () => {
  it.each(allTypes)('accepts those of %s as a person enters them, and as they are stored', (type) => {
    expect(checkSettings(definitionOf(type), enteredSettings[type])).toBeNull();
    expect(checkSettings(definitionOf(type), destinationOf(type).settings)).toBeNull();
  });

  it.each<[DestinationType, Settings, string]>([
    ['segment', { write_key: undefined }, 'settings.write_key'],
    ['segment', { write_key: '' }, 'settings.write_key'],
    ['segment', { write_key: 'a key with spaces' }, 'settings.write_key'],
    ['segment', { region: 'mars' }, 'settings.region'],
    ['segment', { send_sandbox: 'yes' }, 'settings.send_sandbox'],
    ['segment', { unknown: 1 }, 'settings.unknown'],
    ['segment', { constructor: 'x' }, 'settings.constructor'],
    ['amplitude', { api_key: 'ABC' }, 'settings.api_key'],
    ['amplitude', { api_key: 7 }, 'settings.api_key'],
    ['mixpanel', { project_token: 'x'.repeat(32) }, 'settings.project_token'],
    ['posthog', { host: 'https://us.i.posthog.com/' }, 'settings.host'],
    ['posthog', { api_key: 'phx_personal_key_0123456789' }, 'settings.api_key'],
    ['customerio', { sandbox_site_id: '0123456789abcdef0123' }, 'settings.sandbox_api_key'],
    ['customerio', { sandbox_api_key: '0123456789abcdef0123' }, 'settings.sandbox_site_id'],
    ['braze', { instance: 'iad-99' }, 'settings.instance'],
    ['firebase', { ios_api_secret: undefined }, 'settings.ios_api_secret'],
    ['firebase', { android_firebase_app_id: '1:1:ios:0a' }, 'settings.android_firebase_app_id'],
    ['appsflyer', { ios_app_id: 'com.example' }, 'settings.ios_app_id'],
    ['appsflyer', { ios_app_id: undefined, android_app_id: undefined }, 'settings.ios_app_id'],
    ['adjust', { ios_event_tokens: { renewal: 'UPPER' } }, 'settings.ios_event_tokens.renewal'],
    ['adjust', { ios_event_tokens: { unknown: 'abc123' } }, 'settings.ios_event_tokens.unknown'],
    ['adjust', { ios_app_token: undefined, android_app_token: undefined }, 'settings.ios_app_token'],
    ['meta', { dataset_id: 'abc' }, 'settings.dataset_id'],
    ['meta', { sandbox_dataset_id: '1234567890' }, 'settings.sandbox_access_token'],
    ['slack', { url: 'https://hooks.slack.com/workflows/A/B/C' }, 'settings.url'],
    ['slack', { url: 'https://hooks.slack.com.evil.com/services/A/B/C' }, 'settings.url'],
    ['discord', { url: 'https://discord.com/api/webhooks/abc/def' }, 'settings.url'],
    ['http', { url: 'https://{{event.app_id}}.example.com/' }, 'settings.url'],
    ['http', { url: 'https://user@example.com/' }, 'settings.url'],
    ['http', { url: 'ftp://example.com/' }, 'settings.url'],
    ['http', { url: 'https://example.com/{{events}}' }, 'settings.url'],
    ['http', { method: 'GET' }, 'settings.method'],
    ['http', { headers: { Host: 'example.com' } }, 'settings.headers.Host'],
    ['http', { headers: { 'proxy-authorization': 'x' } }, 'settings.headers.proxy-authorization'],
    ['http', { headers: { 'a b': 'x' } }, 'settings.headers.a b'],
    ['http', { headers: { a: 'x\ny' } }, 'settings.headers.a'],
    ['http', { headers: { a: '{{nothing}}' } }, 'settings.headers.a'],
    [
      'http',
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`h${n}`, 'x'])) },
      'settings.headers',
    ],
    ['http', { body: { a: '{{event | reverse}}' } }, 'settings.body'],
    ['http', { body: { a: { b: 1 } }, content_type: 'form' }, 'settings.body'],
  ])('rejects those of %s with %j at %s', (type, change, param) => {
    expect(problemOf(type, change)).toBe(param);
  });

  it.each([null, 'text', []])('rejects %j', (value) => {
    expect(checkSettings(definitionOf('segment'), value)?.param).toBe('settings');
  });

  it('agrees with JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    for (const { id, settings } of definitions) {
      const validate = ajv.compile(settings);
      expect([id, validate(enteredSettings[id]), validate.errors]).toEqual([id, true, null]);
      expect(validate({ ...enteredSettings[id], unknown: 1 })).toBe(false);
    }
  });

  it('adds the prefix of Apple app ids for AppsFlyer', () => {
    const definition = definitionOf('appsflyer');
    expect(normalizedSettings(definition, { ios_app_id: '123456789' }).ios_app_id).toBe('id123456789');
    expect(normalizedSettings(definition, { ios_app_id: 'id123456789' }).ios_app_id).toBe('id123456789');
  });

  it('names the secrets', () => {
    expect(secretNames(definitionOf('customerio'))).toEqual(['api_key', 'sandbox_api_key']);
    expect(secretNames(definitionOf('http'))).toEqual(['headers']);
  });
});

const keys = { 'A.B': 'secret-1', C: 'secret-2' };

describe('a changed address', () => {
  it.each<[DestinationType, Settings, Settings, string | null]>([
    ['amplitude', {}, { region: 'eu' }, 'settings.api_key'],
    ['amplitude', {}, { region: 'us' }, null],
    ['amplitude', {}, { region: 'eu', api_key: 'new' }, null],
    ['amplitude', { sandbox_api_key: 'x' }, { region: 'eu', api_key: 'new' }, 'settings.sandbox_api_key'],
    ['amplitude', { sandbox_api_key: 'x' }, { region: 'eu', api_key: 'new', sandbox_api_key: null }, null],
    ['posthog', {}, { host: 'https://posthog.example.com' }, 'settings.api_key'],
    ['braze', {}, { instance: 'fra-01' }, 'settings.api_key'],
    ['meta', {}, { dataset_id: '99999999' }, 'settings.access_token'],
    ['http', {}, { url: 'https://example.com/other' }, null],
    ['amplitude', { region: 'eu' }, { region: null }, 'settings.api_key'],
    ['http', { headers: keys }, { url: 'https://other.example.com/hook' }, 'settings.headers.A.B'],
    [
      'http',
      { headers: keys },
      { url: 'https://other.example.com/hook', headers: { 'A.B': '1' } },
      'settings.headers.C',
    ],
    [
      'http',
      { headers: keys },
      { url: 'https://other.example.com/hook', headers: { 'A.B': '1', C: null } },
      null,
    ],
    ['http', { headers: keys }, { url: 'https://other.example.com/hook', headers: null }, null],
    ['http', { headers: {} }, { url: 'https://other.example.com/hook' }, null],
    ['slack', {}, { url: 'https://hooks.slack.com/services/A/B/C' }, null],
  ])('asks in %s with %j and %j for %s', (type, stored, entered, param) => {
    const { settings } = destinationOf(type);
    const definition = definitionOf(type);
    const before = { ...settings, ...stored };
    const after = normalizedSettings(definition, changedSettings(definition, before, entered));
    expect(secretToEnterAgain(definition, before, entered, after)?.param ?? null).toBe(param);
  });
});

describe('a change of settings', () => {
  it('keeps what is absent, removes null, and changes headers one by one', () => {
    const stored = { url: 'https://example.com', method: 'PUT', headers: { A: '1', B: '2' } };
    const entered = { method: null, headers: { B: null, C: '3' } };
    const definition = definitionOf('http');
    const changed = changedSettings(definition, stored, entered);
    expect(changed).toEqual({ url: 'https://example.com', headers: { A: '1', C: '3' } });
    expect(namesOfSetSecrets(definition, changed)).toEqual(['headers.A', 'headers.C']);
    expect(changedSettings(definition, stored, { headers: null })).not.toHaveProperty('headers');
  });

  it('replaces what is no secret as a whole', () => {
    const stored = { ios_event_tokens: { renewal: 'abcd12' }, oauth_token: 'secret-1' };
    const entered = { ios_event_tokens: { expiration: 'abcd34' } };
    const definition = definitionOf('adjust');
    const changed = changedSettings(definition, stored, entered);
    expect(changed).toEqual({ ...stored, ...entered });
    expect(namesOfSetSecrets(definition, changed)).toEqual(['oauth_token']);
  });
});
