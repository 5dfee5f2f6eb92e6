import { Module } from '@nestjs/common';
import { EvaluationModule } from './evaluation/evaluation.module.js';
import { ExperimentsModule } from './experiments/experiments.module.js';
import { SdkOfferingsModule } from './offerings/sdk-offerings.module.js';
import { TargetingRulesModule } from './rules/targeting-rules.module.js';

/** Which offering a customer sees: targeting rules, placements and experiments, and the answer that SDKs get. */
@Module({
  imports: [SdkOfferingsModule, EvaluationModule, TargetingRulesModule, ExperimentsModule],
})
export class TargetingAreaModule {}
