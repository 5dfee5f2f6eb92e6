import { whereItWent } from './where-it-went.js';

const delivery = (name: string, status: Parameters<typeof whereItWent>[0][number]['status']) => ({
  integration_id: `id of ${name}`,
  integration_name: name,
  status,
});

describe('where an event went', () => {
  it('names the integrations by the state of their delivery', () => {
    const text = whereItWent([
      delivery('Adjust', 'waiting'),
      delivery('Amplitude', 'delivered'),
      delivery('Slack', 'delivered'),
      delivery('Braze', 'failed'),
    ]);
    expect(text).toBe('Sent to Amplitude, Slack. Waiting for Adjust. Failed for Braze.');
  });

  it('counts an integration once, with its best delivery', () => {
    expect(whereItWent([delivery('Meta', 'pending'), delivery('Meta', 'delivered')])).toBe('Sent to Meta.');
  });
});
