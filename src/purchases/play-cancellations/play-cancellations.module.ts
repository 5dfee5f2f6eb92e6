import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlayCancellation } from './play-cancellation.entity.js';
import { PlayCancellationsRepository } from './play-cancellations.repository.js';

/** Cancellations of Google Play with the customers' answers, for a chart. */
@Module({
  imports: [TypeOrmModule.forFeature([PlayCancellation])],
  providers: [PlayCancellationsRepository],
  exports: [PlayCancellationsRepository],
})
export class PlayCancellationsModule {}
