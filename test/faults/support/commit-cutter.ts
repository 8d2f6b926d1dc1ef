import type { Filter } from '../../support/tcp-proxy';

const HEADER = 5;
const COMMAND_COMPLETE = 'C';
const READY_FOR_QUERY = 'Z';
const IDLE = 'I';

/** Cuts connections when Postgres has committed something written, before the client learns of it. */
export class CommitCutter {
  /** Decides for each such commit whether to cut its connection. */
  shouldCut: () => boolean = () => false;
  cuts = 0;

  readonly newFilter = (): Filter => {
    const messages = new ServerMessages();
    return (chunk) => {
      const { complete, commits } = messages.read(chunk);
      if (commits === 0 || !this.shouldCut()) return complete;
      this.cuts++;
      return undefined;
    };
  };
}

/** What Postgres sends, message by message (PostgreSQL manual, 54.7). */
class ServerMessages {
  private rest: Buffer = Buffer.alloc(0);
  /** Messages from the end of a command until Postgres says whether its transaction has ended. */
  private held: Buffer[] = [];
  private wrote = false;

  /** Returns the messages that can be passed on, and how many commits of something written they report. */
  read(chunk: Buffer): { complete: Buffer; commits: number } {
    let bytes = Buffer.concat([this.rest, chunk]);
    const complete: Buffer[] = [];
    let commits = 0;
    while (bytes.length >= HEADER && bytes.length >= 1 + bytes.readInt32BE(1)) {
      const end = 1 + bytes.readInt32BE(1);
      const message = bytes.subarray(0, end);
      bytes = bytes.subarray(end);
      const kind = String.fromCharCode(message[0]);
      const text = message.subarray(HEADER).toString('latin1');
      if (kind === COMMAND_COMPLETE) this.wrote ||= /^(COMMIT|INSERT 0 [1-9])/.test(text);
      if (kind === COMMAND_COMPLETE || this.held.length > 0) this.held.push(message);
      else complete.push(message);
      if (kind !== READY_FOR_QUERY) continue;
      if (this.wrote && text === IDLE) commits++;
      this.wrote = false;
      complete.push(...this.held.splice(0));
    }
    this.rest = bytes;
    return { complete: Buffer.concat(complete), commits };
  }
}
