import { Module } from '@nestjs/common';
import { CustomerImportsModule } from './customers/customer-imports.module.js';

/** Customers of another system, taken in with everything that it knows about them. */
@Module({ imports: [CustomerImportsModule] })
export class ImportsWingModule {}
