import type { Tone } from '../ui/tone.js';
import type { OutsideToken, StoreReport } from './store-reports.queries.js';

interface Label {
  label: string;
  tone: Tone;
}

export const reportStates: Record<StoreReport['state'], Label> = {
  due: { label: 'Due', tone: 'accent' },
  sent: { label: 'Sent', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
  needs_tax: { label: 'Needs tax', tone: 'warn' },
  needs_token: { label: 'Needs a token', tone: 'warn' },
  needs_data: { label: 'Needs data', tone: 'warn' },
  manual: { label: 'Manual', tone: 'warn' },
};

export const reportStateOrder = [
  'due',
  'sent',
  'refused',
  'needs_tax',
  'needs_token',
  'needs_data',
  'manual',
] as const satisfies readonly StoreReport['state'][];

export const reportEvents: Record<StoreReport['event'], string> = {
  start: 'Start',
  renewal: 'Renewal',
  change: 'Product change',
  payment: 'Further charge',
  one_time: 'One-time purchase',
  refund: 'Refund',
  refund_reversal: 'Refund reversed',
  restatement: 'Correction',
  token: 'Token',
};

export const appStores: Record<StoreReport['store'], string> = { apple: 'App Store', google: 'Google Play' };

/** States that the server may add later are shown as they are. */
export const tokenStates: Partial<Record<string, Label>> = {
  open: { label: 'Open', tone: 'accent' },
  used: { label: 'Used', tone: 'good' },
  reported_empty: { label: 'Reported without purchase', tone: 'good' },
  duplicate: { label: 'Duplicate', tone: 'neutral' },
  unrecognized: { label: 'Unrecognized', tone: 'warn' },
  unreadable: { label: 'Unreadable', tone: 'warn' },
  foreign: { label: 'Another app', tone: 'neutral' },
  refused: { label: 'Refused', tone: 'bad' },
};

export const tokenKinds: Record<NonNullable<OutsideToken['kind']>, string> = {
  IN_APP: 'In the app',
  LINK_OUT: 'Link',
  ACQUISITION: 'Acquisition',
  SERVICES: 'Services',
};
