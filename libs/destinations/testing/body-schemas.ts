import type { DestinationType } from '../definition.js';

/** Bodies by the public references of the tools, for the first and the second request of a plan. */

type Schema = Record<string, unknown>;

const text: Schema = { type: 'string', minLength: 1 };
const number: Schema = { type: 'number' };
const integer: Schema = { type: 'integer' };
const list = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });
const open = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});
const closed = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  ...open(properties, required),
  additionalProperties: false,
});

const uuid: Schema = { type: 'string', pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' };
const isoTime: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$',
};
const hashes: Schema = { type: 'array', items: { type: 'string', pattern: '^[0-9a-f]{64}$' } };
const epochSeconds: Schema = { type: 'integer', minimum: 0, maximum: 99_999_999_999 };

const segmentShared = {
  userId: text,
  timestamp: isoTime,
  context: open({ library: closed({ name: text, version: text }) }),
};

const brazeIdentity = {
  external_id: text,
  user_alias: closed({ alias_name: text, alias_label: text }),
};

const firebaseParams: Schema = {
  type: 'object',
  maxProperties: 25,
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$' },
  properties: { items: list(open({ item_id: { type: 'string', maxLength: 100 } }, [])) },
  additionalProperties: { anyOf: [{ type: 'string', maxLength: 100 }, number, { type: 'boolean' }] },
};

const slackText: Schema = { type: 'string', minLength: 1 };

export const bodySchemas: Record<DestinationType, Schema[]> = {
  segment: [
    closed({
      batch: {
        type: 'array',
        prefixItems: [
          open({
            type: { const: 'identify' },
            messageId: text,
            traits: { type: 'object' },
            ...segmentShared,
          }),
          open({
            type: { const: 'track' },
            messageId: uuid,
            event: text,
            properties: { type: 'object' },
            ...segmentShared,
          }),
        ],
        minItems: 2,
        maxItems: 2,
      },
      sentAt: isoTime,
    }),
  ],
  amplitude: [
    closed({
      api_key: text,
      events: list(
        closed(
          {
            event_type: text,
            user_id: text,
            device_id: text,
            time: { type: 'integer', minimum: 1_000_000_000_000 },
            insert_id: uuid,
            platform: text,
            revenue: number,
            productId: text,
            event_properties: { type: 'object' },
            user_properties: closed({ $set: { type: 'object' } }),
          },
          ['event_type', 'time', 'insert_id', 'event_properties'],
        ),
      ),
      options: closed({ min_id_length: { const: 1 } }),
    }),
  ],
  mixpanel: [
    list(
      closed({
        event: text,
        properties: {
          ...open({
            token: text,
            distinct_id: text,
            time: { type: 'integer', minimum: 1_000_000_000_000 },
            $insert_id: { type: 'string', pattern: '^[A-Za-z0-9-]{1,36}$' },
          }),
          maxProperties: 255,
        },
      }),
    ),
    list(
      closed(
        {
          $token: text,
          $distinct_id: text,
          $ip: { const: '0' },
          $set: { type: 'object' },
          $append: { type: 'object' },
        },
        ['$token', '$distinct_id', '$ip'],
      ),
    ),
  ],
  posthog: [
    closed({
      api_key: text,
      batch: list(
        closed({
          event: text,
          distinct_id: { type: 'string', minLength: 1, maxLength: 200 },
          timestamp: isoTime,
          uuid: { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
          properties: { type: 'object' },
        }),
      ),
    }),
  ],
  customerio: [
    closed({
      batch: {
        type: 'array',
        items: open({
          type: { const: 'person' },
          identifiers: closed({ id: text }),
          action: { enum: ['identify', 'event'] },
          attributes: { type: 'object' },
        }),
        prefixItems: [
          open({ action: { const: 'identify' } }),
          open({
            action: { const: 'event' },
            name: text,
            id: { type: 'string', pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
            timestamp: epochSeconds,
          }),
        ],
      },
    }),
  ],
  braze: [
    closed(
      {
        attributes: list(open(brazeIdentity, [])),
        events: list(
          closed({ ...brazeIdentity, name: text, time: isoTime, properties: { type: 'object' } }, [
            'name',
            'time',
          ]),
        ),
        purchases: list(
          closed(
            {
              ...brazeIdentity,
              product_id: { type: 'string', minLength: 1, maxLength: 255 },
              currency: { const: 'USD' },
              price: number,
              quantity: integer,
              time: isoTime,
              properties: {
                type: 'object',
                propertyNames: {
                  not: { enum: ['time', 'event_name', 'price', 'currency', 'quantity', 'product_id'] },
                },
              },
            },
            ['product_id', 'currency', 'price', 'time'],
          ),
        ),
      },
      ['attributes'],
    ),
  ],
  firebase: [
    closed(
      {
        app_instance_id: { type: 'string', pattern: '^[0-9A-Fa-f]{32}$' },
        user_id: { type: 'string', minLength: 1, maxLength: 256 },
        timestamp_micros: { type: 'integer', minimum: 1_000_000_000_000_000 },
        events: list(
          closed({
            name: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$' },
            params: firebaseParams,
          }),
        ),
      },
      ['app_instance_id', 'timestamp_micros', 'events'],
    ),
  ],
  appsflyer: [
    closed(
      {
        appsflyer_id: text,
        customer_user_id: text,
        eventName: text,
        eventValue: { type: 'string' },
        eventTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}$' },
        eventCurrency: { const: 'USD' },
        idfa: text,
        idfv: text,
        advertising_id: text,
        ip: text,
        bundleIdentifier: text,
        os: text,
        sharing_filter: { anyOf: [{ const: 'all' }, { type: 'array' }] },
      },
      ['appsflyer_id', 'eventName', 'eventValue', 'eventTime'],
    ),
  ],
  // A form: the fields as texts.
  adjust: [
    closed(
      {
        s2s: { const: '1' },
        app_token: { type: 'string', pattern: '^[a-z0-9]{4,12}$' },
        event_token: { type: 'string', pattern: '^[a-z0-9]{4,12}$' },
        adid: text,
        created_at_unix: { type: 'string', pattern: '^\\d{10}$' },
        environment: { enum: ['production', 'sandbox'] },
        idfa: text,
        idfv: text,
        gps_adid: text,
        ip_address: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+\\.\\d+$' },
        revenue: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
        currency: { const: 'USD' },
      },
      ['s2s', 'app_token', 'event_token', 'adid', 'created_at_unix', 'environment'],
    ),
  ],
  meta: [
    closed(
      {
        access_token: text,
        test_event_code: text,
        data: list(
          closed({
            event_name: { enum: ['StartTrial', 'Subscribe', 'Purchase'] },
            event_time: epochSeconds,
            event_id: uuid,
            action_source: { const: 'app' },
            user_data: closed(
              {
                external_id: hashes,
                anon_id: text,
                madid: text,
                em: hashes,
                ph: hashes,
                client_ip_address: text,
              },
              ['external_id'],
            ),
            custom_data: open({ value: { type: 'number', minimum: 0 }, currency: { const: 'USD' } }),
            app_data: closed({
              advertiser_tracking_enabled: { enum: [0, 1] },
              application_tracking_enabled: { const: 1 },
              extinfo: { type: 'array', items: { type: 'string' }, minItems: 16, maxItems: 16 },
            }),
          }),
        ),
      },
      ['access_token', 'data'],
    ),
  ],
  slack: [
    closed({
      attachments: list(
        closed({
          fallback: slackText,
          color: { type: 'string', pattern: '^#[0-9A-F]{6}$' },
          fields: list(closed({ title: slackText, value: slackText }, ['value'])),
          ts: epochSeconds,
        }),
      ),
    }),
  ],
  discord: [
    closed({
      username: text,
      allowed_mentions: closed({ parse: { type: 'array', maxItems: 0 } }),
      embeds: list(
        closed({
          description: { type: 'string', minLength: 1, maxLength: 4096 },
          color: integer,
          fields: {
            type: 'array',
            items: closed({ name: text, value: { ...text, maxLength: 1024 }, inline: { type: 'boolean' } }),
          },
          timestamp: isoTime,
        }),
      ),
    }),
  ],
  http: [closed({ event: { type: 'object' }, customer: { type: 'object' } })],
};
