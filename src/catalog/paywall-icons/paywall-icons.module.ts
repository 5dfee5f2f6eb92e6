import { Module } from '@nestjs/common';
import { PaywallIconFilesService } from './paywall-icon-files.service.js';
import { PaywallIconsController } from './paywall-icons.controller.js';

@Module({ controllers: [PaywallIconsController], providers: [PaywallIconFilesService] })
export class PaywallIconsModule {}
