import { Injectable } from '@nestjs/common';

/** How long (ms) requests for charts wait. */
@Injectable()
export class ChartPatienceService {
  /** For an answer that the request computes itself. */
  inlineMs = 6_000;
  /** For an answer from the background. */
  backgroundMs = 8_000;
  /** Between two looks at the question's row. */
  lookMs = 250;
}
