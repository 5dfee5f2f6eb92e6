import type { MailContent } from '../../platform/mail/mail.js';
import { shownName } from '../../platform/mail/shown-name.js';
import type { OrganizationRole } from '../access/organization-role.js';

const roles: Record<OrganizationRole, string> = {
  owner: 'an owner, who can change everything in the organization and all of its projects',
  admin: 'an admin, who can manage people and change all projects of the organization',
  member: 'a member',
};

/** The person did not ask to join, so the mail names who added them and explains how to leave. */
export function memberAddedMail(added: {
  organization: string;
  role: OrganizationRole;
  by: { email: string; name: string | null };
  baseUrl: string;
}): MailContent {
  const { organization, role, by, baseUrl } = added;
  const name = `“${shownName(organization)}”`;
  const author = by.name === null ? by.email : `${shownName(by.name)} (${by.email})`;
  return {
    subject: `You were added to ${name}`,
    paragraphs: [
      `${author} added you to the organization ${name} as ${roles[role]}.`,
      'If you do not want this, you can leave the organization on your account page.',
    ],
    action: { label: 'See or leave your organizations', url: `${baseUrl}/account?tab=organizations` },
    reason: `You get this mail because ${by.email} added your account to an organization.`,
  };
}
