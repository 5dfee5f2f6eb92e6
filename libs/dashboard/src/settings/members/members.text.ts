import type { Role } from './members.queries.js';

/** Texts of the members page. */
export const text = {
  title: 'Members',
  sentence: 'People who can open this project.',
  invite: 'Invite people',
  members: 'Members',
  invites: 'Invitations',
  invitesSentence: 'Sent and not accepted yet. A link works for 7 days.',
  noInvites: 'Invite a colleague by email: the link in the mail lets them in.',
  noMembers: 'There are no members.',
  columns: {
    person: 'Person',
    role: 'Role',
    twoFactor: 'Two-factor',
    joined: 'Joined',
    email: 'Email address',
    state: 'State',
    sent: 'Sent',
    actions: 'Actions',
  },
  you: 'You',
  on: 'On',
  off: 'Off',
  actionsOf: (name: string) => `Actions for ${name}`,
  cancel: 'Cancel',
  close: 'Close',

  changeRole: 'Change role',
  changeRoleTitle: (name: string) => `Role of ${name}`,
  roleLabel: 'Role',
  ownRole: 'This is your own role: with less than admin you cannot give it back to yourself.',
  save: 'Save',
  roleChanged: (name: string, role: string) => `${name} is now ${role}`,
  remove: 'Remove from project',
  leave: 'Leave the project',
  removeTitle: (name: string) => `Remove ${name}?`,
  leaveTitle: 'Leave this project?',
  removeSentence: (name: string) =>
    `${name} loses access to this project at once. Keys that they created keep working.`,
  leaveSentence: 'You lose access to this project at once. An admin can invite you again.',
  removed: (name: string) => `${name} is removed`,
  left: 'You have left the project',
  lastAdmin: 'A project needs an admin, and this person is the only one. Make another member admin first.',

  inviteTitle: 'Invite people',
  emails: 'Email addresses',
  emailsHint: 'Several with commas or one a line. 50 invitations a day can be sent.',
  noEmails: 'Enter at least one email address.',
  send: (count: number) => (count > 1 ? `Send ${count} invitations` : 'Send the invitation'),
  results: 'Results',
  sending: 'Sending',
  sentTo: 'Invited',
  mailFailed: 'Invited, but the mail could not be sent. It is tried again; you can also resend it.',
  allSent: (count: number) => (count === 1 ? 'The invitation is sent' : `${count} invitations are sent`),

  resendNamed: (email: string) => `Resend the invitation of ${email}`,
  resent: (email: string) => `A new link is on its way to ${email}`,
  mailNotSent: 'The mail could not be sent',
  mailNotSentMore: 'The invitation is there. The mail is tried again; you can also resend it.',
  revoke: 'Revoke',
  revokeNamed: (email: string) => `Revoke the invitation of ${email}`,
  revokeTitle: 'Revoke this invitation?',
  revokeSentence: (email: string) => `The link that was sent to ${email} stops working.`,
  revoked: 'The invitation is revoked',
  states: { pending: 'Pending', expired: 'Expired' },
  ends: { pending: 'ends', expired: 'ended' },
} as const;

export const roleNames: Record<Role, string> = { admin: 'Admin', developer: 'Developer', viewer: 'Viewer' };

/** Role of the organization that the project belongs to. */
export const customRole = 'Custom role';

export const roleSentences: Record<Role, string> = {
  admin: 'Everything, including members, secret keys and deleting the project.',
  developer: 'Everything but members, secret keys and deleting the project.',
  viewer: 'Sees everything and changes nothing.',
};
