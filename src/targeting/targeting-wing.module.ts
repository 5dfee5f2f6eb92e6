import { Module } from '@nestjs/common';
import { ExperimentsModule } from './experiments/experiments.module.js';
import { TargetingRulesModule } from './rules/targeting-rules.module.js';

/** Which offering a customer sees: targeting rules, placements and experiments, and the answer that SDKs get. */
@Module({
  imports: [TargetingRulesModule, ExperimentsModule],
})
export class TargetingWingModule {}
