import { Module } from '@nestjs/common';
import { ChartsController } from './charts.controller.js';

@Module({ controllers: [ChartsController] })
export class ChartsModule {}
