import { isJsonObject } from '../../../libs/kernel/index.js';
import type { Organization } from '../access/organization.entity.js';
import type { OrganizationRole } from '../access/organization-role.js';
import type { Feature } from '../licence/features.js';
import type { UpdateOrganizationDto } from './organization.dto.js';

/** Licensed feature and role for each field. */
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

/** Features required by the fields of the body. */
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

/** Fields that are not sent remain unchanged. */
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

/** Fields whose values are audited. */
export const recordedSettings: readonly string[] = Object.keys(fields);

/** Settings by their names in the audit log. */
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
