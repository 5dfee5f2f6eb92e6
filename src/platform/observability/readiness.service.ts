import { Injectable } from '@nestjs/common';

/** Whether load balancers should send requests to this process. It still handles those it receives. */
@Injectable()
export class ReadinessService {
  private leaving = false;

  /** True once the process is asked to stop: connections then close with the responses in progress. */
  get isLeaving(): boolean {
    return this.leaving;
  }

  leave(): void {
    this.leaving = true;
  }
}
