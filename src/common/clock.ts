import { Injectable } from '@nestjs/common';

/** The only source of the current time, so that a test can turn the month. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
