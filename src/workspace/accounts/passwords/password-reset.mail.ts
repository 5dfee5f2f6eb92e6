import type { MailContent } from '../../../platform/mail/mail.js';

export function passwordResetMail(url: string): MailContent {
  return {
    subject: 'Reset your password',
    paragraphs: [
      'Choose a new password with this link. It works once, for one hour.',
      'A new password signs you out on all devices.',
      'If you did not ask for this, do nothing: your password stays as it is.',
    ],
    action: { label: 'Choose a new password', url },
    reason: 'You get this mail because someone asked to reset the password of the account with this address.',
  };
}
