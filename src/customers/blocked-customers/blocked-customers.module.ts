import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { BlockedCustomersController } from './blocked-customers.controller.js';
import { BlockedCustomersRepository } from './blocked-customers.repository.js';
import { BlockedCustomersService } from './blocked-customers.service.js';

/** Customers who get no entitlements. */
@Module({
  imports: [CustomersModule],
  controllers: [BlockedCustomersController],
  providers: [BlockedCustomersRepository, BlockedCustomersService],
})
export class BlockedCustomersModule {}
