import {
  type Definition,
  eventTypesOfKind,
  isOptionalKind,
  type Kind,
} from '../../../../libs/destinations/index.js';
import type { DestinationEventDto, DestinationTypeDto } from './destination-type.dto.js';

const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

function presentEvent(kind: Kind, defaultName: string | null): DestinationEventDto {
  const [eventType = ''] = eventTypesOfKind[kind];
  return { kind, event_type: eventType, default_name: defaultName, optional: isOptionalKind(kind) };
}

export function presentDestinationType(definition: Definition): DestinationTypeDto {
  const { id, name, category, description, settings, names, capabilities, deduplicates } = definition;
  const events = Object.entries(names) as [Kind, string | null][];
  return {
    object: 'destination_type',
    id,
    name,
    category,
    description,
    documentation_link: `docs/destinations/${id}.md`,
    settings_schema: { $schema: JSON_SCHEMA, ...settings },
    events: events.map(([kind, defaultName]) => presentEvent(kind, defaultName)),
    reads_attributes: [...definition.reads],
    requires_attributes: [...definition.requires],
    capabilities: { ...capabilities, deduplicates },
    max_age_ms: definition.maxAgeMs,
  };
}
