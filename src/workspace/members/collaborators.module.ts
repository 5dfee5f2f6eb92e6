import { Module } from '@nestjs/common';
import { CollaboratorsController } from './collaborators.controller.js';
import { CollaboratorsRepository } from './collaborators.repository.js';
import { CollaboratorsService } from './collaborators.service.js';

@Module({
  controllers: [CollaboratorsController],
  providers: [CollaboratorsRepository, CollaboratorsService],
})
export class CollaboratorsModule {}
