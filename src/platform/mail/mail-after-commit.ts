import type { Transaction } from '../database/database.service.js';
import type { NewMail } from './mail.js';
import type { MailsService } from './mails.service.js';

/** Queues a mail and sends it after the commit; no response waits for it. */
export async function mailAfterCommit(mails: MailsService, tx: Transaction, mail: NewMail): Promise<void> {
  const queued = await mails.queue(tx, mail);
  tx.afterCommit(() => void mails.attempt(queued));
}
