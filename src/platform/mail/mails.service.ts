import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.service.js';
import type { NewMail, QueuedMail } from './mail.js';

@Injectable()
export class MailsService {
  /** Writes the mail in the transaction of the change that causes it. */
  queue(tx: Transaction, mail: NewMail): Promise<QueuedMail> {
    return Promise.reject(new Error(`${mail.kind} cannot be queued ${typeof tx}`));
  }

  /**
   * Makes the first attempt, after the commit. Returns whether the mail server took the mail within a few seconds
   * (without a mail server: true). It never throws: a job repeats what failed.
   */
  attempt(mail: QueuedMail): Promise<boolean> {
    return Promise.resolve(mail.id === '');
  }
}
