import { Module } from '@nestjs/common';

/** How long audit logs are kept. */
@Module({})
export class RetentionModule {}
