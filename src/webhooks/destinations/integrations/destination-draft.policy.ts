import {
  changedEventNames,
  changedSettings,
  checkEventNames,
  checkSettings,
  type Definition,
  type EventNames,
  normalizedSettings,
  secretToEnterAgain,
  sentEventTypes,
  type Settings,
  type SettingsProblem,
} from '../../../../libs/destinations/index.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';

type EventColumns = Pick<DestinationIntegration, 'environment' | 'eventTypes' | 'ordered'>;

function assertNone(problem: SettingsProblem | null): void {
  if (problem) throw ApiError.parameter(problem.param, problem.message);
}

/** The settings after a change, with defaults. `stored`: with secrets. @throws ApiError 400 naming the setting */
export function settingsAfter(definition: Definition, stored: Settings, entered: Settings): Settings {
  const changed = changedSettings(definition, stored, entered);
  assertNone(checkSettings(definition, changed));
  const settings = normalizedSettings(definition, changed);
  const isNew = Object.keys(stored).length === 0;
  if (!isNew) assertNone(secretToEnterAgain(definition, stored, entered, settings));
  return settings;
}

/** The differences to the default names. @throws ApiError 400 naming the kind */
export function eventNamesAfter(definition: Definition, entered: Record<string, unknown>): EventNames {
  assertNone(checkEventNames(definition, entered));
  return changedEventNames(definition, entered);
}

/**
 * The columns by which events find the destination. An empty list of event types means all, so only `http` can have
 * one, whose types a person chooses.
 * @throws ApiError 400 if no kind of event is sent
 */
export function eventColumns(
  definition: Definition,
  settings: Settings,
  eventNames: EventNames,
  chosenTypes: string[],
): EventColumns {
  const sent = { type: definition.id, name: '', settings, eventNames, sendFromMs: 0 };
  const eventTypes =
    definition.id === 'http' ? chosenTypes : sentEventTypes({ ...sent, revenue: 'gross', attributes: 'all' });
  if (eventTypes.length === 0 && definition.id !== 'http') {
    const param = definition.id === 'adjust' ? 'settings.ios_event_tokens' : 'event_names';
    throw ApiError.parameter(param, 'Switch on at least one kind of event.');
  }
  return {
    eventTypes,
    environment: definition.environments(settings) === 'both' ? null : 'production',
    ordered: settings.ordered === true,
  };
}

/** @throws ApiError 400 if a person chooses types of events where names decide */
export function assertTakesEventTypes({ id, name }: Definition, types: string[] | undefined): void {
  if (types === undefined || id === 'http') return;
  throw ApiError.parameter('event_types', `The types of events follow from the event_names in ${name}.`);
}
