import { timelessProperties } from '../base-properties.js';
import type { Definition, Delivery } from '../definition.js';
import { choice, secret, settings, toggle } from '../settings/settings-schema.js';
import {
  analyticsDefaults,
  basicAuth,
  environmentsOf,
  isSandbox,
  jsonCall,
  noSandboxKey,
  testDelivery,
} from './requests.js';

type SegmentSettings = { write_key: string; region: string; send_sandbox: boolean };

const HOSTS: Record<string, string> = { us: 'api.segment.io', eu: 'events.eu1.segmentapis.com' };

const seconds = (ms: number | null | undefined) => (typeof ms === 'number' ? Math.floor(ms / 1000) : ms);

function callOf(delivery: Delivery, { write_key, region }: SegmentSettings, hasProfile = true) {
  const { event, customer, at, name } = delivery;
  const timestamp = new Date(at).toISOString();
  const shared = {
    userId: customer.attributes.$segmentId ?? event.app_user_id,
    timestamp,
    context: {
      environment: isSandbox(delivery) ? 'sandbox' : 'production',
      library: { name: 'Tenure', version: '1' },
    },
  };
  const traits = {
    last_seen_app_user_id: event.app_user_id,
    aliases: event.aliases,
    rc_subscription_status: customer.status ?? undefined,
  };
  const properties = {
    ...timelessProperties(delivery),
    purchased_at: seconds(event.purchased_at_ms),
    expires_at: seconds(event.expiration_at_ms),
    grace_period_expires_at: seconds(event.grace_period_expiration_at_ms),
    auto_resumes_at: seconds(event.auto_resume_at_ms),
    entitlement: customer.entitlements[0],
    entitlements: customer.entitlements,
    cancellation_reason: event.cancel_reason,
  };
  const identify = { type: 'identify', messageId: `${event.id}-identify`, traits, ...shared };
  const track = { type: 'track', messageId: event.id, event: name, properties, ...shared };
  // The time of the event instead of the clock's: every attempt sends the same bytes.
  const body = { batch: hasProfile ? [identify, track] : [track], sentAt: timestamp };
  return jsonCall(`https://${HOSTS[region]}/v1/batch`, body, basicAuth(write_key));
}

export const segment: Definition<SegmentSettings> = {
  ...analyticsDefaults,
  id: 'segment',
  name: 'Segment',
  category: 'analytics',
  description: 'Sends a track call for each event and an identify call with the status of the subscription.',
  settings: settings(
    {
      region: choice('Region', ['us', 'eu']),
      write_key: secret(
        'Write key',
        '^[A-Za-z0-9_-]{8,}$',
        'Segment accepts events with a wrong key and drops them.',
      ),
      send_sandbox: toggle('Send sandbox events', false),
    },
    ['write_key'],
  ),
  addresses: ['region'],
  reads: ['$segmentId'],
  maxBodyBytes: 32_000,
  environments: ({ send_sandbox }) => environmentsOf(send_sandbox),
  plan(delivery, own) {
    if (isSandbox(delivery) && !own.send_sandbox) return noSandboxKey;
    return { send: [callOf(delivery, own)] };
  },
  test: (context, own) => callOf(testDelivery(context), own, false),
};
