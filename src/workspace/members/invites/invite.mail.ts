import type { MailContent } from '../../../platform/mail/mail.js';
import type { ProjectRole } from '../../../platform/principal/permissions.js';
import type { InviteSender } from './invite-mails.service.js';

const NAME_MAX = 60;
/** Invisible; what it stands in is not read as an address. */
const WORD_JOINER = '\u2060';

const rights: Record<ProjectRole, string> = {
  admin: 'an admin, who can change everything and manage the members',
  developer: 'a developer, who can change everything but members and keys',
  viewer: 'a viewer, who can see everything and change nothing',
};

/**
 * A name that people chose, as one short line that mail programs do not turn into a link: the inviter must not
 * write the rest of the mail. Characters without a shape go, those that turn the direction of text among them.
 */
function shown(name: string): string {
  const line = name
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim();
  const letters = [...line];
  const short = letters.length > NAME_MAX ? `${letters.slice(0, NAME_MAX - 1).join('')}…` : line;
  return short.replace(/[.:](?=\S)/g, `$&${WORD_JOINER}`);
}

export function inviteMail(invite: {
  sender: Pick<InviteSender, 'name' | 'email' | 'projectName'>;
  role: ProjectRole;
  url: string;
  expiresAt: Date;
}): MailContent {
  const { sender, role, url, expiresAt } = invite;
  const project = `“${shown(sender.projectName)}”`;
  const inviter = sender.name === null ? sender.email : `${shown(sender.name)} (${sender.email})`;
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
