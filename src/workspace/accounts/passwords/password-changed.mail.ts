import type { MailContent } from '../../../platform/mail/mail.js';

/** `url`: page that requests a reset link. */
export function passwordChangedMail(url: string): MailContent {
  return {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed. Other devices were signed out.',
      'If it was not you, reset your password now.',
    ],
    action: { label: 'Reset the password', url },
    reason: 'You get this mail because the password of the account with this address was changed.',
  };
}
