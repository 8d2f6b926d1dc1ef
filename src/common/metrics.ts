import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const PREFIX = 'retention_';

/** Event loop, memory and garbage collection. Registered once per process, because tests start several apps in one. */
let processMetrics: Registry | undefined;

/**
 * The metrics of all modules. Label values must come from a fixed set in the code, so that requests can't make the
 * `/metrics` response grow.
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

  /** A value that is read on each scrape. */
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

  /** All metrics in the Prometheus text format. */
  async text(): Promise<string> {
    const texts = await Promise.all([...this.registers, processMetrics!].map((registry) => registry.metrics()));
    return texts.join('\n');
  }
}
