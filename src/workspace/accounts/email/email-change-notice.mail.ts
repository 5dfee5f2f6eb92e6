import type { MailContent } from '../../../platform/mail/mail.js';

/** Sent to the old address when a change is requested. `resetUrl`: page that requests a reset link. */
export function emailChangeNoticeMail(newEmail: string, resetUrl: string): MailContent {
  return {
    subject: 'Your email address is about to change',
    paragraphs: [
      `Someone who knows your password asked to change the address of your account to ${newEmail}.`,
      'The change happens when it is confirmed at the new address, and can be cancelled until then.',
      'If it was not you, reset your password now: that also cancels the change.',
    ],
    action: { label: 'Reset the password', url: resetUrl },
    reason: 'You get this mail because this is the address of the account.',
  };
}
