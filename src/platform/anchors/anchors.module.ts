import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectAnchor } from './project-anchor.entity.js';

@Module({ imports: [TypeOrmModule.forFeature([ProjectAnchor])] })
export class AnchorsModule {}
