import { isJsonObject } from '../../../libs/kernel/index.js';
import type { Organization } from '../access/organization.entity.js';
import type { OrganizationRole } from '../access/organization-role.js';
import type { Feature } from '../licence/features.js';
import type { UpdateOrganizationDto } from './organization.dto.js';

/** What each field needs. */
const fields: Record<keyof UpdateOrganizationDto, { feature: Feature; role: OrganizationRole }> = {
  name: { feature: 'organizations', role: 'admin' },
  region: { feature: 'data_location', role: 'admin' },
  audit_retention_days: { feature: 'audit_retention', role: 'owner' },
  sso_enforced: { feature: 'sso', role: 'admin' },
  seats: { feature: 'organizations', role: 'owner' },
  billing_email: { feature: 'organizations', role: 'owner' },
};

function needsOf(body: unknown): { feature: Feature; role: OrganizationRole }[] {
  if (!isJsonObject(body)) return [];
  return Object.entries(fields).flatMap(([name, needs]) => (body[name] === undefined ? [] : [needs]));
}

/** Of the fields that are sent. */
export function featuresOfUpdate(body: unknown): Feature[] {
  const needed = needsOf(body).map(({ feature }) => feature);
  return needed.length === 0 ? ['organizations'] : [...new Set(needed)];
}

export function roleOfUpdate(body: unknown): OrganizationRole {
  return needsOf(body).some(({ role }) => role === 'owner') ? 'owner' : 'admin';
}

type Settings = Pick<
  Organization,
  'name' | 'region' | 'auditRetentionDays' | 'ssoEnforced' | 'seats' | 'billingEmail'
>;

/** Fields that are not sent stay. */
export function settingsAfter(present: Settings, body: UpdateOrganizationDto): Settings {
  const or = <Value>(sent: Value | undefined, old: Value): Value => (sent === undefined ? old : sent);
  return {
    name: or(body.name, present.name),
    region: or(body.region, present.region),
    auditRetentionDays: or(body.audit_retention_days, present.auditRetentionDays),
    ssoEnforced: or(body.sso_enforced, present.ssoEnforced),
    seats: or(body.seats, present.seats),
    billingEmail: or(body.billing_email, present.billingEmail),
  };
}

/** Whose values the audit log shows. */
export const recordedSettings: readonly string[] = Object.keys(fields);

/** As the audit log names them. */
export function namedSettings(settings: Settings): Record<string, unknown> {
  return {
    name: settings.name,
    region: settings.region,
    audit_retention_days: settings.auditRetentionDays,
    sso_enforced: settings.ssoEnforced,
    seats: settings.seats,
    billing_email: settings.billingEmail,
  };
}
