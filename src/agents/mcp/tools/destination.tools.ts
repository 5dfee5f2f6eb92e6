import type { ToolDefinition, ToolRun } from '../tool.js';

/** None takes settings, because they contain secrets. */
const destination = { name: 'destination_id' };

const enabling =
  (enabled: boolean) =>
  ({ args, call }: ToolRun): Promise<Record<string, unknown>> =>
    call('updateDestination', { ...args, enabled });

export const destinationTools: ToolDefinition[] = [
  {
    name: 'list_destinations',
    title: 'List destinations',
    description:
      'The analytics, attribution, messaging and chat tools that receive the events of the project, oldest first.',
    operations: ['listDestinations'],
    effect: 'read',
    arguments: ['type'],
  },
  {
    name: 'get_destination',
    title: 'Read a destination',
    description: 'A destination with its settings and names of events. Secrets are not shown.',
    operations: ['getDestination'],
    effect: 'read',
    arguments: [destination],
  },
  {
    name: 'list_destination_deliveries',
    title: 'List deliveries of a destination',
    description: 'What was sent to a destination and why the rest was not, newest first.',
    operations: ['listDestinationDeliveries'],
    effect: 'read',
    arguments: [destination, 'status', 'reason'],
  },
  {
    name: 'pause_destination',
    title: 'Pause a destination',
    description: 'Sends nothing to a destination until it is resumed. New events are not queued.',
    operations: ['updateDestination'],
    effect: 'write',
    arguments: [destination],
    run: enabling(false),
  },
  {
    name: 'resume_destination',
    title: 'Resume a destination',
    description: 'Sends events to a paused destination again, starting with its open deliveries.',
    operations: ['updateDestination'],
    effect: 'write',
    arguments: [destination],
    run: enabling(true),
  },
  {
    name: 'replay_destination_events',
    title: 'Send events to a destination again',
    description:
      'Sends failed and skipped deliveries of a time range again, or all events that were not delivered.',
    operations: ['replayDestinationEvents'],
    effect: 'write',
    arguments: [
      destination,
      { name: 'from', form: 'time' },
      { name: 'to', form: 'time' },
      'status',
      'event_types',
    ],
  },
];
