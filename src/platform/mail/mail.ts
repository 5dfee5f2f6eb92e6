/** Content of a mail; one template renders it as text and as HTML. */
export interface MailContent {
  subject: string;
  /** Plain text; each becomes a paragraph. */
  paragraphs: string[];
  /** The main action. The link is also written out in full. */
  action?: { label: string; url: string };
  /** The reason for the mail: "You get this mail because …". */
  reason: string;
  /** Page to turn such mails off; also sent as List-Unsubscribe (RFC 2369). */
  unsubscribeUrl?: string;
  /** Turns such mails off on a POST without a credential (RFC 8058); sent if it is an https URL. */
  oneClickUnsubscribeUrl?: string;
}

export interface NewMail {
  /** The user, invite or project that the mail belongs to. */
  tenantId: string;
  /** Name of the template in logs and metrics, such as `password_reset`. */
  kind: string;
  /** Normalised address. */
  to: string;
  content: MailContent;
  /** Time after which the mail is useless and no longer sent, such as the expiration of its link. */
  expiresAtMs?: number;
}

/** A mail whose row has been written. */
export interface QueuedMail {
  tenantId: string;
  id: string;
  /** Until then, only this process sends it. */
  leaseUntil: Date;
}
