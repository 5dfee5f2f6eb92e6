import { Module } from '@nestjs/common';
import { DemoModule } from './demo/demo.module.js';
import { TestClocksModule } from './test-clocks/test-clocks.module.js';
import { TestPurchasesModule } from './test-purchases/test-purchases.module.js';

/** The Test Store, which involves no money: simulated purchases, test clocks and a demo. */
@Module({ imports: [TestPurchasesModule, TestClocksModule, DemoModule] })
export class TestStoreAreaModule {}
