/** What a mail says; one template renders it as text and as HTML. */
export interface MailContent {
  subject: string;
  /** Plain text; each becomes a paragraph. */
  paragraphs: string[];
  /** The one thing to do. The link is also written out in full. */
  action?: { label: string; url: string };
  /** Why the recipient gets this mail: "You get this mail because …". */
  reason: string;
  /** Page where the recipient turns such mails off; also sent as List-Unsubscribe (RFC 2369). */
  unsubscribeUrl?: string;
  /** Turns such mails off when it gets a POST without a credential (RFC 8058); sent if it is an https URL. */
  oneClickUnsubscribeUrl?: string;
}

export interface NewMail {
  /** The person, invite or project whose mail it is. */
  tenantId: string;
  /** Names the template in logs and metrics, such as `password_reset`. */
  kind: string;
  /** Normalised address. */
  to: string;
  content: MailContent;
  /** When the mail is of no use any more, such as the end of its link; it is not sent later. */
  expiresAtMs?: number;
}

/** A mail whose row is written. */
export interface QueuedMail {
  tenantId: string;
  id: string;
  /** Until then only this process sends it. */
  leaseUntil: Date;
}
