import { Module } from '@nestjs/common';
import { DemoModule } from './demo/demo.module.js';
import { TestClocksModule } from './test-clocks/test-clocks.module.js';
import { TestPurchasesModule } from './test-purchases/test-purchases.module.js';

/** A store without money: purchases, clocks and a demo to try things with. */
@Module({ imports: [TestPurchasesModule, TestClocksModule, DemoModule] })
export class TestStoreWingModule {}
