import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlayCancellation } from './play-cancellation.entity.js';
import { PlayCancellationsRepository } from './play-cancellations.repository.js';
import { PlayCancellationsService } from './play-cancellations.service.js';

/** Cancellations of Google Play with the customers' answers, for a chart. */
@Module({
  imports: [TypeOrmModule.forFeature([PlayCancellation])],
  providers: [PlayCancellationsService, PlayCancellationsRepository],
  exports: [PlayCancellationsService],
})
export class PlayCancellationsModule {}
