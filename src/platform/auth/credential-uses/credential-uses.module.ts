import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialUse } from './credential-use.entity.js';
import { CredentialUsesRepository } from './credential-uses.repository.js';
import { CredentialUsesService } from './credential-uses.service.js';

/** Global, because the access guard records uses. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([CredentialUse])],
  providers: [CredentialUsesRepository, CredentialUsesService],
  exports: [CredentialUsesService],
})
export class CredentialUsesModule {}
