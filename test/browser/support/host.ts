import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page of the host: the site of the company, where the widget is a guest. */
export interface HostPage {
  /** The origin that the script comes from. */
  service: string;
  /** The address of the flow on the link. */
  flow?: string;
  /** More attributes of the link. */
  attributes?: Record<string, string>;
  /** Origins that the page may call besides the service. */
  connect?: string;
  /** What stands in place of the link. */
  body?: string;
  /** What stands in place of the widget's script; '' leaves it out. */
  script?: string;
  /** A module of the page's own. */
  module?: string;
  /** A style sheet of the page's own. */
  css?: string;
  /** Attributes of <html>. */
  html?: string;
  /** In place of the strict Content-Security-Policy. */
  csp?: string;
}

/** The path of the page that cancels, and the query that only the link knows. */
export const CANCEL_PAGE = '/cancel-page?sub=1';

/** The site of a company, on an origin of its own, with the strictest Content-Security-Policy that the widget needs. */
export class Host {
  private readonly pages: HostPage[] = [];

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<Host> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = new Host(server, `http://localhost:${(server.address() as AddressInfo).port}`);
    server.on('request', ({ url = '/' }, response) => {
      const [type, body, headers] = host.respond(new URL(url, host.origin));
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body);
    });
    return host;
  }

  get cancelPage(): string {
    return this.origin + CANCEL_PAGE;
  }

  /** The address of a page. */
  page(page: HostPage): string {
    return `${this.origin}/account?page=${this.pages.push(page) - 1}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private respond({ pathname, searchParams }: URL): [type: string, body: string, headers?: Record<string, string>] {
    const page = this.pages[Number(searchParams.get('page'))];
    if (pathname === '/account')
      return ['text/html', htmlOf(page, searchParams), { 'content-security-policy': cspOf(page) }];
    if (pathname === '/styles.css') return ['text/css', page.css ?? ''];
    if (pathname === '/module.js') return ['text/javascript', page.module ?? ''];
    return ['text/html', '<!doctype html><html lang="en"><title>Cancel page</title><h1>Cancel page</h1></html>'];
  }
}

function cspOf({ csp, service, connect = '', module }: HostPage): string {
  const own = module === undefined ? '' : "'self'";
  return (
    csp ??
    `default-src 'none'; script-src ${service} ${own}; style-src 'self'; connect-src ${service} ${connect}; img-src ${service}; ` +
      `require-trusted-types-for 'script'`
  );
}

function htmlOf({ service, flow, attributes, body, script, module, html }: HostPage, query: URLSearchParams): string {
  const link = Object.entries({ href: CANCEL_PAGE, 'data-retention-flow': flow ?? '', ...attributes })
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ');
  return `<!doctype html>
<html lang="en" ${html ?? ''}>
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your account</title>
<link rel="stylesheet" href="/styles.css?${query}">
${script ?? `<script async src="${service}/widget/v1.js"></script>`}
${module === undefined ? '' : `<script type="module" src="/module.js?${query}"></script>`}
</head>
<body><main><h1>Your account</h1>
${body ?? `<p><a ${link}>Cancel subscription</a></p>`}
</main></body></html>`;
}
