import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { AppStoreModule } from '../app-store/app-store.module.js';
import { RetentionMessageText } from './messages/retention-message.entity.js';
import { RetentionMessagesController } from './messages/retention-messages.controller.js';
import { RetentionMessagesRepository } from './messages/retention-messages.repository.js';
import { RetentionMessagesService } from './messages/retention-messages.service.js';

/** Messages that the App Store shows to customers who are about to cancel. */
@Module({
  imports: [AppStoreModule, CatalogModule, TypeOrmModule.forFeature([RetentionMessageText])],
  controllers: [RetentionMessagesController],
  providers: [RetentionMessagesRepository, RetentionMessagesService],
})
export class RetentionMessagesModule {}
