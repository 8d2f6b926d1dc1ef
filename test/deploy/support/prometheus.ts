import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { Program } from './program';
import { replaced } from './proxies';

export interface Rule {
  name: string;
  query: string;
  health: string;
  lastError?: string;
  alerts: { state: string; labels: Record<string, string> }[];
}

interface Series {
  metric: Record<string, string>;
  value: [number, string];
}

interface Answer {
  data?: { result: Series[] };
  error?: string;
}

/** A Prometheus with the files of deploy/, in front of one service, that looks each second. */
export class Prometheus {
  private constructor(
    private readonly folder: string,
    private readonly address: string,
    private readonly program: Program,
  ) {}

  static async start(target: string): Promise<Prometheus> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'retention-flow-prometheus-'));
    const values = { '15s': '1s', '127.0.0.1:3000': target };
    writeFileSync(join(folder, 'prometheus.yml'), replaced('deploy/prometheus/prometheus.yml', values));
    cpSync('deploy/prometheus/alerts.yml', join(folder, 'alerts.yml'));
    const program = await Program.start(port, [
      'prometheus',
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    return new Prometheus(folder, `http://127.0.0.1:${port}/api/v1`, program);
  }

  async rules(): Promise<Rule[]> {
    const { data } = (await this.get('rules')) as { data: { groups: { rules: Rule[] }[] } };
    return data.groups.flatMap(({ rules }) => rules);
  }

  /** The series that an expression gives now. Throws if Prometheus can't read it. */
  async query(expression: string): Promise<Series[]> {
    const { data, error } = (await this.get(`query?query=${encodeURIComponent(expression)}`)) as Answer;
    if (!data) throw new Error(`${expression}: ${error}`);
    return data.result;
  }

  async stop(): Promise<void> {
    await this.program.stop();
    rmSync(this.folder, { recursive: true });
  }

  private async get(path: string): Promise<unknown> {
    const response = await fetch(`${this.address}/${path}`);
    // It listens before it has read its data.
    if (response.status === 503) return this.get(path);
    return response.json();
  }
}
