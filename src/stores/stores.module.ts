import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { StoreConnections } from './store-connections.js';

/** The stores that purchases are verified with. */
@Module({ imports: [AppsModule], providers: [StoreConnections], exports: [StoreConnections] })
export class StoresModule {}
