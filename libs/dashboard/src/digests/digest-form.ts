import type { Digest } from './digests.queries.js';
import type { DigestChanges, NewDigest } from './digests.writes.js';
import { allFigures, type Figure } from './labels.js';

/** Content of the form, as typed. */
export interface DigestForm {
  name: string;
  place: 'channel' | 'members';
  destination_id: string;
  emails: string[];
  period: 'daily' | 'weekly';
  weekday: string;
  hour: string;
  time_zone: string;
  figures: Figure[];
  environment: 'production' | 'sandbox';
  send_empty: boolean;
  enabled: boolean;
}

export const emptyForm = (timeZone: string): DigestForm => ({
  name: '',
  place: 'channel',
  destination_id: '',
  emails: [],
  period: 'daily',
  weekday: '1',
  hour: '9',
  time_zone: timeZone,
  figures: allFigures,
  environment: 'production',
  send_empty: true,
  enabled: true,
});

export const formOf = (digest: Digest): DigestForm => ({
  name: digest.name,
  place: digest.destination_id === null ? 'members' : 'channel',
  destination_id: digest.destination_id ?? '',
  emails: digest.emails,
  period: digest.period,
  weekday: String(digest.weekday),
  hour: String(digest.hour),
  time_zone: digest.time_zone,
  figures: digest.figures,
  environment: digest.environment,
  send_empty: digest.send_empty,
  enabled: digest.enabled,
});

/** Validates before anything is sent. */
export const problemsOf = ({ place, destination_id: channel, emails, figures }: DigestForm) => ({
  destination_id: place === 'channel' && channel === '' ? 'Choose a channel.' : null,
  emails: place === 'members' && emails.length === 0 ? 'Choose at least one member.' : null,
  figures: figures.length === 0 ? 'Choose at least one figure.' : null,
});

export function bodyOf(form: DigestForm): NewDigest {
  const isChannel = form.place === 'channel';
  return {
    name: form.name.trim(),
    destination_id: isChannel ? form.destination_id : null,
    emails: isChannel ? [] : form.emails,
    period: form.period,
    weekday: Number(form.weekday),
    hour: Number(form.hour),
    time_zone: form.time_zone,
    figures: allFigures.filter((figure) => form.figures.includes(figure)),
    environment: form.environment,
    send_empty: form.send_empty,
    enabled: form.enabled,
  };
}

/** Returns the changed fields. */
export function changes(form: DigestForm, digest: Digest): DigestChanges {
  const before = bodyOf(formOf(digest));
  return Object.fromEntries(
    Object.entries(bodyOf(form)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof NewDigest]),
    ),
  );
}
