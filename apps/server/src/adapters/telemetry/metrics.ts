import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Prefix of every metric's name. */
const PREFIX = "innkey_";

/** Metrics of this process, shared by all readers. */
export const processMetrics = new Registry();

export interface Measure<Label extends string> {
  /** name without the prefix, with the unit at its end; source: prometheus.io, "Metric and label naming" */
  name: string;
  help: string;
  labels?: readonly Label[];
}

const metricOptions = <Label extends string>({ name, help, labels = [] }: Measure<Label>, registers: Registry[]) => ({
  name: `${PREFIX}${name}`,
  help,
  labelNames: [...labels],
  registers,
});

/** Creates a counter, which only increases; its name ends in _total. */
export function counter<Label extends string = never>(measure: Measure<Label>): Counter<Label> {
  return new Counter<Label>(metricOptions(measure, [processMetrics]));
}

export function histogram<Label extends string = never>(measure: Measure<Label>, buckets: number[]): Histogram<Label> {
  return new Histogram<Label>({ ...metricOptions(measure, [processMetrics]), buckets });
}

export function gauge<Label extends string = never>(measure: Measure<Label>): Gauge<Label> {
  return new Gauge<Label>(metricOptions(measure, [processMetrics]));
}

/**
 * Creates a gauge that is computed whenever it is read. `collect` must have a time limit, since the reader waits for it.
 */
export function readGauge<Label extends string = never>(
  registry: Registry,
  measure: Measure<Label>,
  collect: (gauge: Gauge<Label>) => void | Promise<void>,
): void {
  new Gauge<Label>({
    ...metricOptions(measure, [registry]),
    collect() {
      return collect(this);
    },
  });
}

let hasNodeMetrics = false;

/**
 * Registers Node's own metrics: event loop, heap, garbage collection, handles. Only once, since each call adds an
 * observer.
 */
export function measureNode(): void {
  if (hasNodeMetrics) return;
  hasNodeMetrics = true;
  collectDefaultMetrics({ prefix: PREFIX, register: processMetrics });
  // We remove these gauges because they are named like counters; the same values exist per kind.
  for (const name of ["handles", "requests", "resources"]) {
    processMetrics.removeSingleMetric(`${PREFIX}nodejs_active_${name}_total`);
  }
}

export { Registry };
