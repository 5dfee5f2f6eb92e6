import { Module } from '@nestjs/common';

/** Sign-in through identity providers. */
@Module({})
export class SsoModule {}
