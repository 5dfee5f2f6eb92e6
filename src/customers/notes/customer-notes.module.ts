import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersModule } from '../customers/customers.module.js';
import { CustomerNote } from './customer-note.entity.js';
import { CustomerNotesController } from './customer-notes.controller.js';
import { CustomerNotesRepository } from './customer-notes.repository.js';
import { CustomerNotesService } from './customer-notes.service.js';
import './customer-rows.sql.js';

@Module({
  imports: [TypeOrmModule.forFeature([CustomerNote]), CustomersModule],
  controllers: [CustomerNotesController],
  providers: [CustomerNotesRepository, CustomerNotesService],
  exports: [CustomerNotesService],
})
export class CustomerNotesModule {}
