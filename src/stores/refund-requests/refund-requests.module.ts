import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RefundRequest } from './refund-request.entity.js';
import './customer-rows.sql.js';

@Module({
  imports: [TypeOrmModule.forFeature([RefundRequest])],
})
export class RefundRequestsModule {}
