import { Module } from '@nestjs/common';

/** Provisioning by identity providers. */
@Module({})
export class ScimModule {}
