import { Logger } from '@nestjs/common';
import { problemOfPostgres } from './postgres-errors';

/** Does work again and again: at once when it is woken, and after a pause otherwise. Never twice at a time. */
export class Loop {
  private readonly logger = new Logger(Loop.name);
  private timer?: NodeJS.Timeout;
  private turn?: Promise<void>;
  private isWoken = false;
  private isStarted = false;
  private isFailing = false;

  constructor(
    /** What it does, for the log. */
    private readonly name: string,
    private readonly pauseMs: number,
    private readonly work: () => Promise<void>,
  ) {}

  start(): void {
    this.isStarted = true;
    this.wake();
  }

  /** Makes it begin now, or once more if it is at work. */
  wake(): void {
    if (!this.isStarted) return;
    clearTimeout(this.timer);
    if (this.turn) this.isWoken = true;
    else this.turn = this.takeTurn();
  }

  /** Resolves when the work under way is done. No more begins. */
  async stop(): Promise<void> {
    this.isStarted = false;
    clearTimeout(this.timer);
    await this.turn;
  }

  private async takeTurn(): Promise<void> {
    try {
      do {
        this.isWoken = false;
        await this.work();
      } while (this.isWoken && this.isStarted);
      this.isFailing = false;
    } catch (error) {
      // The next turn tries again. While the database is in trouble, only the first failure is logged.
      if (!problemOfPostgres(error)) this.logger.error(error);
      else if (!this.isFailing) this.logger.warn(`${this.name}: ${String(error)}`);
      this.isFailing = true;
    }
    this.turn = undefined;
    if (this.isStarted) this.timer = setTimeout(() => this.wake(), this.pauseMs).unref();
  }
}
