import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const PREFIX = 'retention_';

/** Event loop, memory, garbage collection: of the process, however many apps a test starts in it. */
let processMetrics: Registry | undefined;

/**
 * Where modules count what they do. A label takes only values that the code names: whatever a stranger sends can't make
 * the answer of /metrics grow.
 */
@Injectable()
export class Metrics {
  private readonly registers = [new Registry()];

  constructor() {
    if (processMetrics) return;
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: this.registers });
  }

  histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name: PREFIX + name, help, buckets, registers: this.registers });
  }

  /** A value that is read when it is asked for. */
  gauge(name: string, help: string, read: () => number | Promise<number>): Gauge {
    return new Gauge({
      name: PREFIX + name,
      help,
      registers: this.registers,
      async collect() {
        this.set(await read());
      },
    });
  }

  /** All of them, in the text format of Prometheus. */
  async text(): Promise<string> {
    const texts = await Promise.all([...this.registers, processMetrics!].map((registry) => registry.metrics()));
    return texts.join('\n');
  }
}
