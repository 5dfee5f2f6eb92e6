import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { StoreUnknownValue } from './store-unknown-value.entity.js';
import { UnknownValuesRepository } from './unknown-values.repository.js';
import { UnknownValuesService } from './unknown-values.service.js';

@Module({
  imports: [AppsModule, TypeOrmModule.forFeature([StoreUnknownValue])],
  providers: [UnknownValuesRepository, UnknownValuesService],
  exports: [UnknownValuesService],
})
export class UnknownValuesModule {}
