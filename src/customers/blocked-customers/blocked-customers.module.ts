import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersModule } from '../customers/customers.module.js';
import { BlockedCustomer } from './blocked-customer.entity.js';
import { BlockedCustomersController } from './blocked-customers.controller.js';
import { BlockedCustomersRepository } from './blocked-customers.repository.js';
import { BlockedCustomersService } from './blocked-customers.service.js';
import { VendorBlockedCustomersController } from './vendor-blocked-customers.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([BlockedCustomer]), CustomersModule],
  controllers: [VendorBlockedCustomersController, BlockedCustomersController],
  providers: [BlockedCustomersRepository, BlockedCustomersService],
  exports: [BlockedCustomersService],
})
export class BlockedCustomersModule {}
