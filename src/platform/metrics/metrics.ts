import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../../../package.json';

const PREFIX = 'retention_';

/** The bundle has it from git. */
declare const BUILT_COMMIT: string | undefined;
const commit = typeof BUILT_COMMIT === 'string' ? BUILT_COMMIT : 'unknown';

/** Sums of other gauges. Their names say counter, so Prometheus' linter refuses them. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

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
    const labelNames = ['version', 'commit', 'node'];
    const help = 'The versions of the service and of Node, and the commit that was built; always 1';
    new Gauge({ name: `${PREFIX}build_info`, help, labelNames, registers: this.registers }).set(
      { version, commit, node: process.versions.node },
      1,
    );
    if (processMetrics) return;
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
    for (const name of MISNAMED) processMetrics.removeSingleMetric(name);
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: this.registers });
  }

  histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name: PREFIX + name, help, buckets, labelNames, registers: this.registers });
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

  /** Values that are set, by label: at any time, or by `read` on each scrape. */
  labeledGauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read?: (gauge: Gauge<Label>) => void,
  ): Gauge<Label> {
    const registers = this.registers;
    return new Gauge({
      name: PREFIX + name,
      help,
      labelNames,
      registers,
      collect() {
        read?.(this);
      },
    });
  }

  /** All metrics in the Prometheus text format. */
  async text(): Promise<string> {
    const all = [...this.registers, processMetrics!];
    const texts = await Promise.all(all.map((registry) => registry.metrics()));
    return texts.join('\n');
  }
}
