import type {
  Feature,
  Organization,
  OrganizationChanges,
  OrganizationRole,
} from '../../api/enterprise.types.js';
import type { Option } from '../../ui/forms/select-field.js';
import { regionOptions } from '../region-options.js';

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
  title: 'General',
  role: 'admin',
  fields: [
    { name: 'name', label: 'Name', value: organization.name, missing: 'Give the organization a name.' },
    {
      name: 'region',
      label: 'Region',
      hint: organization.region_enforced
        ? 'This deployment keeps the data of one region.'
        : 'Where its data must be stored. Does not move any data.',
      value: organization.region,
      feature: 'data_location',
      options: regionOptions(organization, organization.region),
    },
  ],
});

export const retentionPanel = (organization: Organization): SettingsPanelModel => ({
  title: 'Audit retention',
  note: 'Older entries of the audit logs of the organization and of its projects are permanently deleted.',
  role: 'owner',
  fields: [
    {
      name: 'audit_retention_days',
      label: 'Days to keep entries',
      hint: '30 to 3,650. Empty keeps them forever.',
      value: numberText(organization.audit_retention_days),
      feature: 'audit_retention',
      kind: 'integer',
    },
  ],
});

export const billingPanel = (organization: Organization): SettingsPanelModel => ({
  title: 'Seats and billing',
  note: 'For your own records. Does not limit anything.',
  role: 'owner',
  fields: [
    {
      name: 'seats',
      label: 'Seats bought',
      hint: '1 to 100,000. Leave empty if none.',
      value: numberText(organization.seats.purchased),
      kind: 'integer',
    },
    {
      name: 'billing_email',
      label: 'Billing address',
      hint: 'An email address, or empty.',
      value: organization.billing_email ?? '',
      kind: 'email',
    },
  ],
});

/** Validates a value before anything is sent; null if it is valid. */
export function problemOf({ kind, missing }: SettingsField, value: string): string | null {
  if (missing !== undefined && value.trim() === '') return missing;
  return kind === 'integer' && !/^\s*\d*\s*$/.test(value) ? 'Enter a whole number, or leave it empty.' : null;
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
