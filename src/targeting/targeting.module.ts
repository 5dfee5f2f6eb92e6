import { Module } from '@nestjs/common';
import { EvaluationModule } from './evaluation/evaluation.module.js';
import { ExperimentsModule } from './experiments/experiments.module.js';
import { SdkOfferingsModule } from './offerings/sdk-offerings.module.js';
import { TargetingRulesModule } from './rules/targeting-rules.module.js';

/** Targeting rules, placements and experiments, which decide the offering of a customer, and the response for SDKs. */
@Module({
  imports: [SdkOfferingsModule, EvaluationModule, TargetingRulesModule, ExperimentsModule],
})
export class TargetingAreaModule {}
