import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type ParsedMail, parseMail } from './parse-mail';

export interface ReceivedMail extends ParsedMail {
  /** From the envelope. */
  recipients: string[];
}

const USER = 'acme';
const PASSWORD = 'p/w:@ é';

type Moment = 'recipient' | 'message';

/** An SMTP server that keeps what it is sent, and refuses what a test wants it to. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  refusesLogins = false;
  /** Those who wait for mails. */
  private readonly waiting = new Set<() => void>();
  private readonly answers = new Map<string, { moment: Moment; code: number }>();
  private readonly silent = new Set<string>();
  private server: SMTPServer;

  private constructor(private port: number) {}

  static async start(port = 0): Promise<MailServer> {
    const mailServer = new MailServer(port);
    await mailServer.open();
    return mailServer;
  }

  get url(): string {
    return `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.port}`;
  }

  /** How many clients are connected. */
  get connections(): number {
    return this.server.connections.size;
  }

  /** Listens again, on the same port. */
  async open(): Promise<void> {
    this.server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 0,
      onAuth: ({ username, password }, _session, done) => {
        if (username === USER && password === PASSWORD && !this.refusesLogins) done(null, { user: USER });
        else done(Object.assign(new Error(`not ${password}`), { responseCode: 535 }));
      },
      onRcptTo: ({ address }, _session, done) => done(this.refusalOf(address, 'recipient')),
      onData: (stream, { envelope }, done) => {
        const recipients = envelope.rcptTo.map(({ address }) => address);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.mails.push({ recipients, ...parseMail(Buffer.concat(chunks).toString()) });
          for (const check of this.waiting) check();
          if (!recipients.some((address) => this.silent.has(address))) done(this.refusalOf(recipients[0], 'message'));
        });
      },
    });
    // Clients that are cut off are part of the tests.
    this.server.on('error', () => {});
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server.server, 'listening');
    this.port = (this.server.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  /** From now on an address is refused with a code, before or after the message; without a code it is accepted. */
  refuse(address: string, code?: number, moment: Moment = 'recipient'): void {
    if (code) this.answers.set(address, { code, moment });
    else this.answers.delete(address);
  }

  /** From now on messages to an address are not answered, or are again. */
  ignore(address: string, isIgnored = true): void {
    if (isIgnored) this.silent.add(address);
    else this.silent.delete(address);
  }

  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ recipients }) => recipients.includes(address));
  }

  /** Resolves with all mails to an address when so many have come. */
  received(address: string, count: number): Promise<ReceivedMail[]> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.to(address).length < count) return;
        this.waiting.delete(check);
        resolve(this.to(address));
      };
      this.waiting.add(check);
      check();
    });
  }

  private refusalOf(address: string, moment: Moment): Error | undefined {
    const answer = this.answers.get(address);
    if (answer?.moment !== moment) return undefined;
    // A server may quote what it was sent.
    return Object.assign(new Error(`no thanks, ${address}`), { responseCode: answer.code });
  }
}
