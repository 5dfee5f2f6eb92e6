import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProductsModule } from '../products/products.module.js';
import { AttachedProduct } from './package-product.entity.js';
import { Package } from './package.entity.js';
import { PackagesController } from './packages.controller.js';
import { PackagesRepository } from './packages.repository.js';
import { PackagesService } from './packages.service.js';

@Module({
  imports: [ProductsModule, TypeOrmModule.forFeature([Package, AttachedProduct])],
  controllers: [PackagesController],
  providers: [PackagesRepository, PackagesService],
  exports: [PackagesService],
})
export class PackagesModule {}
