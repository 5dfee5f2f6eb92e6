import { Module } from '@nestjs/common';
import { ListeningTime } from './listening-time.js';
import { ListeningRepository } from './listening.repository.js';

/** Since when the server has heard what stores report. */
@Module({ providers: [ListeningRepository, ListeningTime], exports: [ListeningTime] })
export class ListeningModule {}
