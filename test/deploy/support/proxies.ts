import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CERTIFICATE } from '../../support/certificate';
import { freePort } from '../../support/free-port';
import { Program } from './program';

export interface Response {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

interface Sent {
  headers?: object;
  from?: string;
  body?: string;
  agent?: HttpAgent | false;
}

/** A proxy that runs with the file of deploy/, in front of servers on 127.0.0.1. */
export class Proxy {
  private constructor(
    private readonly folder: string,
    private readonly program: Program,
    private readonly origin: RequestOptions,
    private readonly logs: string[] = [],
  ) {}

  static async nginx(upstreams: string[]): Promise<Proxy> {
    const [http, https] = [await freePort(), await freePort()];
    const folder = newFolder();
    const conf = replaced('deploy/nginx/retention-flow.conf', {
      '  listen [::]:80;\n': '',
      '  listen [::]:443 ssl http2;\n': '',
      'listen 80;': `listen 127.0.0.1:${http};`,
      'listen 443 ssl': `listen 127.0.0.1:${https} ssl`,
      'flows.example.com/': '',
      '/etc/letsencrypt/live': folder,
      'flows.example.com': 'acme.test',
      '/var/log/nginx': folder,
      '  server 127.0.0.1:3000 max_fails=0;': upstreams.map((one) => `  server ${one} max_fails=0;`).join('\n'),
    });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
    const user = process.getuid!() === 0 ? 'user root;' : '';
    const files = {
      'fullchain.pem': CERTIFICATE.cert,
      'privkey.pem': CERTIFICATE.key,
      'retention-flow.conf': conf,
      'nginx.conf': `${user} daemon off; pid ${folder}/pid; events {} http { ${paths} include ${folder}/retention-flow.conf; }`,
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const program = await Program.start(https, ['nginx', '-e', 'stderr', '-c', join(folder, 'nginx.conf')]);
    const origin = { protocol: 'https:', port: https, servername: 'acme.test', ca: CERTIFICATE.cert } as RequestOptions;
    const logs = ['retention-flow.log', 'retention-flow.error.log'].map((name) => join(folder, name));
    return new Proxy(folder, program, origin, logs);
  }

  static async caddy(upstreams: string[]): Promise<Proxy> {
    const port = await freePort();
    const folder = newFolder();
    const env = {
      HOME: folder,
      CADDY_ADMIN: `unix/${folder}/admin`,
      RETENTION_FLOW_SITE: `http://acme.test:${port}`,
      RETENTION_FLOW_UPSTREAMS: upstreams.join(' '),
    };
    const command = ['caddy', 'run', '--adapter', 'caddyfile', '--config', 'deploy/caddy/Caddyfile'];
    const program = await Program.start(port, command, env);
    return new Proxy(folder, program, { protocol: 'http:', port });
  }

  /** An agent of a client who keeps a connection to this proxy open. */
  keepAlive(): HttpAgent {
    return new (this.isHttps ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
  }

  /** Sends a request. The path is sent as it is; `from` is the address of the client. */
  async open(method: string, path: string, options: Sent = {}) {
    const { headers, from = '127.0.0.1', body, agent = false } = options;
    const request = this.isHttps ? requestHttps : requestHttp;
    return new Promise<IncomingMessage>((resolve, reject) => {
      const json = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
      const outgoing = request({
        ...this.origin,
        host: '127.0.0.1',
        localAddress: from,
        agent,
        method,
        path,
        headers: { host: 'acme.test', ...json, ...headers },
      });
      outgoing.on('response', resolve).on('error', reject).end(body);
    });
  }

  private get isHttps(): boolean {
    return this.origin.protocol === 'https:';
  }

  async send(...request: Parameters<Proxy['open']>): Promise<Response> {
    const response = await this.open(...request);
    return { status: response.statusCode!, headers: response.headers, text: await text(response) };
  }

  /** Everything that it has logged. */
  get log(): string {
    return this.program.output + this.logs.map((path) => readFileSync(path, 'utf8')).join('');
  }

  async stop(): Promise<void> {
    await this.program.stop();
    rmSync(this.folder, { recursive: true });
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'retention-flow-proxy-'));
  return folder;
}

/** The text of a file with other values. Throws if one of them is not in it. */
export function replaced(file: string, values: Record<string, string>): string {
  let content = readFileSync(file, 'utf8');
  for (const [from, to] of Object.entries(values)) {
    if (!content.includes(from)) throw new Error(`${file} has no ${from}`);
    content = content.replaceAll(from, to);
  }
  return content;
}
