import type {
  Feature,
  Organization,
  OrganizationChanges,
  OrganizationRole,
} from '../../api/enterprise.types.js';
import type { Option } from '../../ui/forms/select-field.js';
import { regionOptions } from '../region-options.js';
import { text } from './settings.text.js';

export interface SettingsField {
  name: 'name' | 'region' | 'seats' | 'billing_email' | 'audit_retention_days';
  label: string;
  hint?: string;
  value: string;
  /** The feature that this panel needs in addition. */
  feature?: Feature;
  options?: Option[];
  kind?: 'integer' | 'email';
  missing?: string;
}

export interface SettingsPanelModel {
  title: string;
  note?: string;
  role: OrganizationRole;
  fields: SettingsField[];
}

const numberText = (value: number | null): string => (value === null ? '' : String(value));

export const generalPanel = (organization: Organization): SettingsPanelModel => ({
  title: text.general,
  role: 'admin',
  fields: [
    { name: 'name', label: text.name, value: organization.name, missing: text.nameMissing },
    {
      name: 'region',
      label: text.region,
      hint: organization.region_enforced ? text.regionEnforced : text.regionHint,
      value: organization.region,
      feature: 'data_location',
      options: regionOptions(organization, organization.region),
    },
  ],
});

export const retentionPanel = (organization: Organization): SettingsPanelModel => ({
  title: text.retention,
  note: text.retentionNote,
  role: 'owner',
  fields: [
    {
      name: 'audit_retention_days',
      label: text.days,
      hint: text.daysHint,
      value: numberText(organization.audit_retention_days),
      feature: 'audit_retention',
      kind: 'integer',
    },
  ],
});

export const billingPanel = (organization: Organization): SettingsPanelModel => ({
  title: text.billing,
  note: text.billingNote,
  role: 'owner',
  fields: [
    {
      name: 'seats',
      label: text.seats,
      hint: text.seatsHint,
      value: numberText(organization.seats.purchased),
      kind: 'integer',
    },
    {
      name: 'billing_email',
      label: text.email,
      hint: text.emailHint,
      value: organization.billing_email ?? '',
      kind: 'email',
    },
  ],
});

/** Validates a value before anything is sent; null if it is valid. */
export function problemOf({ kind, missing }: SettingsField, value: string): string | null {
  if (missing !== undefined && value.trim() === '') return missing;
  return kind === 'integer' && !/^\s*\d*\s*$/.test(value) ? text.notNumber : null;
}

/** Returns the changed values for the server: an empty number or address is null. */
export function changesOf(
  fields: readonly SettingsField[],
  values: Readonly<Record<string, string>>,
): OrganizationChanges {
  const changed = fields.filter(({ name, value }) => values[name] !== value);
  return Object.fromEntries(
    changed.map(({ name, kind }) => {
      const value = (values[name] ?? '').trim();
      if (kind === undefined) return [name, value];
      return [name, value === '' ? null : kind === 'integer' ? Number(value) : value];
    }),
  );
}
