import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Every name begins with it. */
const PREFIX = "innkey_";

/** What is counted where it happens: one registry for the process, whoever reads it. */
export const processMeasures = new Registry();

export interface Measure<Label extends string> {
  /** after the prefix, with its unit at the end; source: prometheus.io, "Metric and label naming" */
  name: string;
  help: string;
  labels?: readonly Label[];
}

const named = <Label extends string>({ name, help, labels = [] }: Measure<Label>, registers: Registry[]) => ({
  name: `${PREFIX}${name}`,
  help,
  labelNames: [...labels],
  registers,
});

/** Only ever goes up, so its name ends in _total. */
export function counter<Label extends string = never>(measure: Measure<Label>): Counter<Label> {
  return new Counter<Label>(named(measure, [processMeasures]));
}

export function histogram<Label extends string = never>(measure: Measure<Label>, buckets: number[]): Histogram<Label> {
  return new Histogram<Label>({ ...named(measure, [processMeasures]), buckets });
}

export function gauge<Label extends string = never>(measure: Measure<Label>): Gauge<Label> {
  return new Gauge<Label>(named(measure, [processMeasures]));
}

/** A gauge that is looked up whenever it is read. `look` must be bounded in time: the reader waits for it. */
export function readGauge<Label extends string = never>(
  registry: Registry,
  measure: Measure<Label>,
  look: (gauge: Gauge<Label>) => void | Promise<void>,
): void {
  new Gauge<Label>({
    ...named(measure, [registry]),
    collect() {
      return look(this);
    },
  });
}

let nodeMeasured = false;

/** Node's own: event loop, heap, garbage collection, handles. Once for a process, since each keeps an observer. */
export function measureNode(): void {
  if (nodeMeasured) return;
  nodeMeasured = true;
  collectDefaultMetrics({ prefix: PREFIX, register: processMeasures });
  // Gauges that are named like counters; what they add up is there by kind.
  for (const name of ["handles", "requests", "resources"]) {
    processMeasures.removeSingleMetric(`${PREFIX}nodejs_active_${name}_total`);
  }
}

export { Registry };
