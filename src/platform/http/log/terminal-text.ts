/** A line as pino writes it. It may have further fields. */
interface Line {
  level: number;
  time: number;
  msg: string;
  request_id?: string;
  method?: string;
  route?: string;
  status?: number;
  ms?: number;
  err?: { stack: string };
}

const PLAIN = /^[\w./:-]+$/;
const WARN = 40;
const ERROR = 50;

/** A line of the log as a person reads it: `POST /api/v1/runtime/session/init 201 14 ms`. */
export function textOf(line: string): string {
  const { level, time: _, request_id: __, msg, method, route, status, ms, err, ...fields } = JSON.parse(line) as Line;
  const isRequest = method !== undefined && status !== undefined;
  const head = isRequest ? `${method} ${route ?? '(no such path)'} ${status} ${ms} ms` : msg;
  const kind = level >= ERROR ? 'Error: ' : level >= WARN ? 'Warning: ' : '';
  // What the text says already, such as a key, isn't said again.
  const more = Object.entries(fields).filter(([, value]) => !head.includes(String(value)));
  const rest = more.map(
    ([name, value]) => ` ${name}=${typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value)}`,
  );
  const said = `${kind}${head}${rest.join('')}${err ? `\n${err.stack}` : ''}`;
  // Clients choose the names of fields: none may move the cursor.
  const text = said.replaceAll(/[^\P{Cc}\n]/gu, '');
  return head.includes('\n') ? `\n${text}\n\n` : `${text}\n`;
}
