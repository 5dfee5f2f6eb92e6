import { Module } from '@nestjs/common';
import { CustomerImportsModule } from './customers/customer-imports.module.js';
import { PublicKeyImportModule } from './public-keys/public-key-import.module.js';
import { ImportResolveModule } from './resolve/import-resolve.module.js';
import { ImportStatusModule } from './status/import-status.module.js';

/** Imports customers of another system with everything that it knows about them. */
@Module({
  imports: [CustomerImportsModule, PublicKeyImportModule, ImportResolveModule, ImportStatusModule],
})
export class ImportsAreaModule {}
