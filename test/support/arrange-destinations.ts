import {
  definitionOf,
  type DestinationType,
  normalizedSettings,
  sentEventTypes,
  type Settings,
} from '../../libs/destinations/index.js';
import { enteredSettings } from '../../libs/destinations/testing/fixture.js';
import { newId } from '../../libs/kernel/index.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import type { Integration } from '../../src/webhooks/deliveries/integrations/integration.entity.js';
import { IntegrationsService } from '../../src/webhooks/deliveries/integrations/integrations.service.js';
import { DestinationSettingsService } from '../../src/webhooks/destinations/settings/destination-settings.service.js';
import type { TestServer } from './test-server.js';

const HEX_KEY = 'fedcba9876543210fedcba9876543210';

/** Settings beside those of the fixture with which every type sends the sandbox events of the Test Store. */
const sandboxSettings: Record<DestinationType, Settings> = {
  segment: { send_sandbox: true },
  amplitude: { sandbox_api_key: HEX_KEY },
  mixpanel: { sandbox_project_token: HEX_KEY },
  posthog: { sandbox_api_key: 'phc_sandbox0123456789' },
  customerio: { sandbox_site_id: 'fedcba98765432100123', sandbox_api_key: 'abcdef0123456789abcd' },
  braze: { sandbox_api_key: '01234567-89ab-cdef-0123-fedcba987654' },
  firebase: { android_firebase_app_id: undefined, android_api_secret: undefined },
  appsflyer: { android_app_id: undefined },
  adjust: {
    android_app_token: undefined,
    android_event_tokens: undefined,
    ios_event_tokens: { initial_purchase: 'abc124', cancellation: 'abc125', expiration: 'abc126' },
  },
  meta: {
    sandbox_dataset_id: '9876543210123456',
    sandbox_access_token: 'EAAsandboxToken0123456789',
    ios_bundle_id: 'com.example.app',
  },
  slack: { send_sandbox: true },
  discord: { send_sandbox: true },
  http: {},
};

export interface AddedDestination {
  id: string;
  type: DestinationType;
}

export type DestinationChanges = Partial<Omit<Integration, 'settings'>> & { settings?: Settings };

/** Adds a destination with complete settings, without its API. `standInUrl`: what the type `http` sends to. */
export async function addDestination(
  { app, clock }: Pick<TestServer, 'app' | 'clock'>,
  projectId: string,
  type: DestinationType,
  standInUrl: string,
  { settings: changed, ...changes }: DestinationChanges = {},
): Promise<AddedDestination> {
  const definition = definitionOf(type);
  const id = newId('destination', clock.nowMs());
  const http = type === 'http' ? { url: `${standInUrl}/http/hook` } : {};
  const entered = { ...enteredSettings[type], ...http, ...sandboxSettings[type], ...changed };
  const known = Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== undefined));
  const settings = normalizedSettings(definition, known);
  const destination = {
    ...{ type, name: `My ${definition.name}`, settings, eventNames: {}, revenue: 'gross' as const },
    ...{ attributes: 'all' as const, sendFromMs: 0 },
  };
  const integration: Integration = {
    ...{ projectId, id, url: null, appId: null, enabled: true, includeCustomerInfo: false },
    ...{ sealedAuthorizationHeader: null, sealedSigningSecret: null },
    ...{ sealedPreviousSigningSecret: null, previousSigningSecretUntil: null },
    ...destination,
    environment: definition.environments(settings) === 'both' ? null : 'production',
    eventTypes: type === 'http' ? [] : sentEventTypes(destination),
    ordered: settings.ordered === true,
    sendFrom: new Date(0),
    createdAt: new Date(clock.nowMs()),
    ...app.get(DestinationSettingsService).seal(projectId, id, type, settings),
    ...changes,
  };
  const integrations = app.get(IntegrationsService);
  await app.get(DatabaseService).transaction((tx) => integrations.insert(tx, integration));
  return { id, type };
}

export interface SentDelivery {
  id: string;
  eventType: string;
  status: string;
  reason: string | null;
  attempts: number;
  error: string | null;
  stepsDone: number;
  mayBeRepeated: boolean;
  waitsFor: string[] | null;
}

/** The deliveries to a destination, in the order of their events. */
export function deliveriesOf(
  { dataSource }: Pick<TestServer, 'dataSource'>,
  { id }: Pick<AddedDestination, 'id'>,
): Promise<SentDelivery[]> {
  return dataSource.query<SentDelivery[]>(
    `SELECT id, event_type AS "eventType", status, reason, attempts, last_error AS error, steps_done AS "stepsDone",
       may_be_repeated AS "mayBeRepeated", waits_for AS "waitsFor"
     FROM webhook_deliveries WHERE webhook_integration_id = $1 ORDER BY created_at, event_id, id`,
    [id],
  );
}
