import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KeyCredentials } from '../../platform/auth/credential-lookups.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyCredentialsRepository } from './key-credentials.repository.js';

/** Global, because the access guard injects `KeyCredentials`. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ApiKey])],
  controllers: [ApiKeysController],
  providers: [
    ApiKeysRepository,
    ApiKeysService,
    { provide: KeyCredentials, useClass: KeyCredentialsRepository },
  ],
  exports: [ApiKeysService, KeyCredentials],
})
export class ApiKeysModule {}
