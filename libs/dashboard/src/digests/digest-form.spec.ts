import { bodyOf, changes, emptyForm, formOf, problemsOf } from './digest-form.js';
import type { Digest } from './digests.queries.js';
import { allFigures, scheduleText } from './labels.js';

const digest: Digest = {
  object: 'digest',
  id: 'dig_1',
  name: 'Figures',
  destination_id: 'dst_1',
  emails: [],
  period: 'weekly',
  weekday: 5,
  hour: 9,
  time_zone: 'America/New_York',
  figures: ['revenue', 'problems'],
  environment: 'production',
  send_empty: true,
  enabled: true,
  next_at: 0,
  last_sent_at: null,
  last_period: null,
  created_at: 0,
};

describe('the form of a digest', () => {
  it('sends only what changed', () => {
    const form = formOf(digest);
    expect(changes(form, digest)).toEqual({});
    expect(changes({ ...form, hour: '8', name: ' Figures ' }, digest)).toEqual({ hour: 8 });
  });

  it('clears the old place when it moves to members, and back', () => {
    const moved = { ...formOf(digest), place: 'members' as const, emails: ['usr_1'] };
    expect(changes(moved, digest)).toEqual({ destination_id: null, emails: ['usr_1'] });
    const mailed = { ...digest, destination_id: null, emails: ['usr_1'] };
    const back = { ...formOf(mailed), place: 'channel' as const, destination_id: 'dst_1' };
    expect(changes(back, mailed)).toEqual({ destination_id: 'dst_1', emails: [] });
  });

  it('sends figures in the order of the lines', () => {
    const form = { ...formOf(digest), figures: [...allFigures].reverse() };
    expect(bodyOf(form).figures).toEqual(allFigures);
  });

  it.each([
    [{ destination_id: '' }, ['destination_id']],
    [{ place: 'members' as const }, ['emails']],
    [{ place: 'members' as const, emails: ['usr_1'], destination_id: '' }, []],
    [{ figures: [] }, ['figures']],
  ])('finds what is missing in %j', (change, fields) => {
    const problems = problemsOf({ ...formOf(digest), ...change });
    expect(Object.entries(problems).flatMap(([name, problem]) => (problem ? [name] : []))).toEqual(fields);
  });

  it('starts with all figures in the time zone of the reader', () => {
    expect(emptyForm('Europe/Berlin')).toMatchObject({ time_zone: 'Europe/Berlin', figures: allFigures });
  });
});

it.each([
  [digest, 'Every Friday at 09:00, America/New York'],
  [{ ...digest, period: 'daily' as const, hour: 17, time_zone: 'UTC' }, 'Every day at 17:00, UTC'],
])('names the schedule %#', (one, text) => {
  expect(scheduleText(one)).toBe(text);
});
