import type { SetupFacts } from './setup-step.model.js';
import { setupSteps } from './setup-steps.js';

type Settings = Pick<
  SetupFacts['settings'],
  'notification_status' | 'last_notification_error' | 'last_notification_received_at'
>;

/** The parts of a Roku app that its steps read. */
const rokuFacts = (settings: Settings): SetupFacts =>
  ({
    app: { roku: { roku_channel_id: null, roku_channel_name: null } },
    settings: { ...settings, notification_forward_url: null, allow_test_notifications: false },
  }) as unknown as SetupFacts;

describe('the step for signature authentication at Roku', () => {
  const message = 'Switch on signature authentication.';
  const refused = { at: 7, type: 'rejected', message };

  it.each<[string, Settings, object]>([
    [
      'waits for the first notification',
      { notification_status: 'waiting', last_notification_error: null, last_notification_received_at: null },
      { kind: 'todo' },
    ],
    [
      'names the switch while notifications are unsigned',
      { notification_status: 'unsigned', last_notification_error: refused, last_notification_received_at: 3 },
      { kind: 'failed', atMs: 7, words: message },
    ],
    [
      'is done when a signed notification has arrived',
      { notification_status: 'ready', last_notification_error: refused, last_notification_received_at: 9 },
      { kind: 'verified', atMs: 9 },
    ],
  ])('%s', (_, settings, state) => {
    expect(setupSteps(rokuFacts(settings)).find(({ id }) => id === 'rokuSigning')?.state).toEqual(state);
  });
});
