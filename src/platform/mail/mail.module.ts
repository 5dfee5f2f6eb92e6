import { Global, Module } from '@nestjs/common';
import { MailsService } from './mails.service.js';

/** Mails to people. */
@Global()
@Module({ providers: [MailsService], exports: [MailsService] })
export class MailModule {}
