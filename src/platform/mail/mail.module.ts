import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailAttemptsService } from './mail-attempts.service.js';
import { MailTransportService } from './mail-transport.service.js';
import { Mail } from './mail.entity.js';
import { MailsJob } from './mails.job.js';
import { MailsRepository } from './mails.repository.js';
import { MailsService } from './mails.service.js';

/** Sending of mail. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Mail])],
  providers: [MailsRepository, MailTransportService, MailAttemptsService, MailsService, MailsJob],
  exports: [MailsService],
})
export class MailModule {}
