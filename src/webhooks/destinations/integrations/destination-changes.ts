import { definitionOf, secretNames, type Settings } from '../../../../libs/destinations/index.js';
import { isJsonObject } from '../../../../libs/kernel/index.js';
import { type AuditChanges, auditChanges } from '../../../platform/audit/audit-changes.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';

/** A destination before or after an update. */
export interface DestinationVersion {
  integration: DestinationIntegration;
  /** With secrets. */
  settings: Settings;
}

const fields = [
  'name',
  'enabled',
  'appId',
  'sendFrom',
  'eventNames',
  'eventTypes',
  'revenue',
  'attributes',
] as const;

/** Audit logs write names of fields in snake case, which names of headers in upper case would not survive. */
function withLowerCaseHeaders({ headers, ...others }: Settings): Settings {
  if (!isJsonObject(headers)) return { headers, ...others };
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...others, headers: Object.fromEntries(entries) as Settings };
}

const recorded = ({ integration, settings }: DestinationVersion): Record<string, unknown> => ({
  ...Object.fromEntries(fields.map((name) => [name, integration[name]])),
  settings: withLowerCaseHeaders(settings),
});

/** What an update changed, for the audit log: values of fields and settings, and of secrets only the names. */
export function destinationChanges(before: DestinationVersion, after: DestinationVersion): AuditChanges {
  const definition = definitionOf(after.integration.type);
  const secrets = secretNames(definition);
  const plain = Object.keys(definition.settings.properties).filter((name) => !secrets.includes(name));
  return auditChanges(recorded(before), recorded(after), [
    ...fields,
    ...plain.map((name) => `settings.${name}`),
  ]);
}
