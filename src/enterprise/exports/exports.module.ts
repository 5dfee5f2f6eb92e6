import { Module } from '@nestjs/common';

/** Signed exports of audit logs and access. */
@Module({})
export class ExportsModule {}
