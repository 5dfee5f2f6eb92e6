import type { MailContent } from '../../../platform/mail/mail.js';

export function emailVerificationMail(url: string): MailContent {
  return {
    subject: 'Confirm your email address',
    paragraphs: [
      'Confirm that this address is yours. The link works once, for 24 hours.',
      'If you did not create an account, do nothing.',
    ],
    action: { label: 'Confirm the address', url },
    reason: 'You get this mail because an account was created with this address.',
  };
}
