import { Module } from '@nestjs/common';
import { PaywallsController } from './paywalls.controller.js';

@Module({ controllers: [PaywallsController] })
export class PaywallsModule {}
