import fc from 'fast-check';
import type { DestinationEvent, DigestMessage } from '../event.js';
import { SAMPLE_AT_MS } from '../sample-event.js';
import { allTypes, bodyOf, callsOf, enteredSettings, planOf } from '../testing/fixture.js';

const HOUR_MS = 3_600_000;
const url = 'https://tenure.example.com/projects/p1';
const message: DigestMessage = {
  heading: 'My project, Thursday 26 November 2026',
  lines: ['Revenue: $1,234.56 (+12.3 % from $1,099.34)', 'New trials: 3 (was 0)'],
  url,
};

const digestOf = (change: Partial<DigestMessage> = {}): DestinationEvent => ({
  id: 'A6F3D1C2-0000-4000-8000-000000000001',
  type: 'DIGEST',
  digest: { ...message, ...change },
});

describe('the message of a digest', () => {
  it('fills one attachment in Slack', () => {
    expect(callsOf('slack', {}, digestOf())[0]?.url).toBe(enteredSettings.slack['url']);
    expect(bodyOf('slack', {}, digestOf())).toEqual({
      attachments: [
        {
          fallback: 'My project, Thursday 26 November 2026',
          color: '#30B296',
          title: 'My project, Thursday 26 November 2026',
          title_link: url,
          text: 'Revenue: $1,234.56 (+12.3 % from $1,099.34)\nNew trials: 3 (was 0)',
          ts: Math.floor(SAMPLE_AT_MS / 1000),
        },
      ],
    });
  });

  it('fills one embed in Discord', () => {
    expect(callsOf('discord', {}, digestOf())[0]?.url).toBe(
      `${String(enteredSettings.discord['url'])}?wait=true`,
    );
    expect(bodyOf('discord', {}, digestOf())).toEqual({
      username: 'Tenure',
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: 'My project, Thursday 26 November 2026',
          url,
          description: 'Revenue\\: $1,234.56 \\(+12.3 % from $1,099.34\\)\nNew trials\\: 3 \\(was 0\\)',
          color: 5763719,
          timestamp: new Date(SAMPLE_AT_MS).toISOString(),
        },
      ],
    });
  });

  it.each([
    [12 * HOUR_MS, { send: [expect.anything()] }],
    [12 * HOUR_MS + 1, { skip: 'too_old', detail: 'The channel was busy for more than 12 hours.' }],
  ])('answers after %d ms with %j', (ageMs, plan) => {
    expect(planOf('slack', {}, digestOf(), { nowMs: SAMPLE_AT_MS + ageMs })).toEqual(plan);
  });

  it('ignores the start and the events of a destination', () => {
    const quiet = { sendFromMs: SAMPLE_AT_MS + HOUR_MS, eventNames: { renewal: null } };
    expect(planOf('discord', quiet, digestOf())).toEqual({ send: [expect.anything()] });
  });

  it.each(allTypes.filter((type) => type !== 'slack' && type !== 'discord'))('skips %s', (type) => {
    expect(planOf(type, {}, digestOf())).toEqual({ skip: 'event_off' });
  });

  it('contains no command, mention or link of a project name', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'<>&|!@#*_~`[]()\\:- \n\u202e\u2066\u0007ax') }),
      fc.constantFrom('<!channel>', '<https://evil.example|click>', '@everyone', '[a](https://evil.example)'),
    );
    fc.assert(
      fc.property(hostile, (name) => {
        const event = digestOf({ heading: name, lines: [name, name] });
        const { attachments } = bodyOf('slack', {}, event) as {
          attachments: { title: string; text: string; fallback: string; title_link: string }[];
        };
        const [attachment] = attachments;
        expect(`${attachment?.title}${attachment?.text}${attachment?.fallback}`).not.toMatch(/[<>|]/);
        expect(attachment?.text.split('\n')).toHaveLength(2);
        expect(attachment?.title_link).toBe(url);
        const { embeds, allowed_mentions: mentions } = bodyOf('discord', {}, event) as {
          embeds: { title: string; description: string; url: string }[];
          allowed_mentions: object;
        };
        const [embed] = embeds;
        expect(mentions).toEqual({ parse: [] });
        expect(embed?.url).toBe(url);
        expect(embed?.description.split('\n')).toHaveLength(2);
        const unescaped = `${embed?.title}${embed?.description}`.replace(/\\[\\*_~`|>#[\]()<@:-]/g, '');
        expect(unescaped).not.toMatch(/[\\*_~`|>#[\]()<@:-]/);
      }),
      { numRuns: 1000 },
    );
  });
});
