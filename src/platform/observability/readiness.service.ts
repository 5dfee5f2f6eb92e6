import { Injectable } from '@nestjs/common';

/** Whether this process wants more requests. It still answers those it receives. */
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
