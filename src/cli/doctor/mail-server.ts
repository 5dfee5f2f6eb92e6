import type { DataSource } from 'typeorm';
import type { Config } from '../../platform/config/config.js';
import { settings } from '../../platform/config/config.schema.js';
import { smtpFailure } from '../../platform/mail/smtp-failure.js';
import { smtpPool } from '../../platform/mail/smtp-pool.js';
import { type Finding, finding } from './finding.js';

/** Signs in to the mail server without sending anything. */
export async function examineMailServer(_: DataSource, { smtpUrl }: Config): Promise<Finding[]> {
  const { variable } = settings.smtpUrl;
  if (smtpUrl === null) {
    return [finding('warning', `${variable} is not set: mails are written to the log, links included`)];
  }
  const smtp = await smtpPool(smtpUrl);
  try {
    await smtp.verify();
    return [finding('ok', 'The mail server accepts the connection')];
  } catch (error) {
    return [finding('warning', `${smtpFailure(error).error} See ${variable}`)];
  } finally {
    smtp.close();
  }
}
