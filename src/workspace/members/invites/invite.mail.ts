import type { MailContent } from '../../../platform/mail/mail.js';
import { shownName } from '../../../platform/mail/shown-name.js';
import type { ProjectRole } from '../../../platform/principal/permissions.js';
import type { InviteSender } from './invite-mails.service.js';

const rights: Record<ProjectRole, string> = {
  admin: 'an admin, who can change everything and manage the members',
  developer: 'a developer, who can change everything but members and keys',
  viewer: 'a viewer, who can see everything and change nothing',
};

export function inviteMail(invite: {
  sender: Pick<InviteSender, 'name' | 'email' | 'projectName'>;
  role: ProjectRole;
  url: string;
  expiresAt: Date;
}): MailContent {
  const { sender, role, url, expiresAt } = invite;
  const project = `“${shownName(sender.projectName)}”`;
  const inviter = sender.name === null ? sender.email : `${shownName(sender.name)} (${sender.email})`;
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    subject: `Invitation to ${project}`,
    paragraphs: [
      `${inviter} invites you to the project ${project} as ${rights[role]}.`,
      `The link is valid until ${until}.`,
    ],
    action: { label: 'Open the invitation', url },
    reason: `You get this mail because ${sender.email} entered your address. If you do not expect it, ignore it.`,
  };
}
