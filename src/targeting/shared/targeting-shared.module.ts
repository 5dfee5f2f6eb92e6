import { Module } from '@nestjs/common';
import { OfferingsModule } from '../../catalog/offerings/offerings.module.js';
import { NamedOfferings } from './named-offerings.js';

@Module({ imports: [OfferingsModule], providers: [NamedOfferings], exports: [NamedOfferings] })
export class TargetingSharedModule {}
