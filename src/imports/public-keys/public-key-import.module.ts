import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { PublicKeyImportController } from './public-key-import.controller.js';

@Module({ imports: [AppsModule], controllers: [PublicKeyImportController] })
export class PublicKeyImportModule {}
