import { definitionOf, type Kind } from '../../../../libs/destinations/index.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import type { DestinationDto } from './destination.dto.js';

/** A destination, and the names of its secrets that have a value. */
export interface DestinationWithSecretNames {
  integration: DestinationIntegration;
  secretsSet: string[];
}

function eventNamesOf({ type, eventNames }: DestinationIntegration): DestinationDto['event_names'] {
  const { names, category } = definitionOf(type);
  const named = (Object.entries(names) as [Kind, string | null][]).filter(
    ([, byDefault]) => byDefault !== null,
  );
  return Object.fromEntries(
    named.map(([kind, byDefault]) => {
      const own = eventNames?.[kind];
      return [kind, category === 'chat' && own !== null ? true : own === undefined ? byDefault : own];
    }),
  );
}

export function presentDestination({ integration, secretsSet }: DestinationWithSecretNames): DestinationDto {
  const { id, type, name, enabled, appId, eventTypes, environment, createdAt } = integration;
  return {
    object: 'destination',
    id,
    type,
    name,
    enabled,
    send_from: (integration.sendFrom ?? createdAt).getTime(),
    app_id: appId,
    event_names: eventNamesOf(integration),
    event_types: eventTypes,
    revenue: integration.revenue ?? 'gross',
    attributes: integration.attributes ?? 'all',
    settings: { ...integration.settings },
    secrets_set: secretsSet,
    environments: environment === null ? 'both' : 'production',
    created_at: createdAt.getTime(),
  };
}
